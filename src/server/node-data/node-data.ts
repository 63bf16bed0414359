/** What becomes of the facts, catalogs and reports of a server's own agents. */

import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../../platform/log/index.ts';
import type { CatalogTerminus } from '../../services/compiler/index.ts';
import type { FactSink } from '../../services/facts/index.ts';
import {
  type Content,
  type Destination,
  deliver,
  type Message,
  namedPayload,
  type Outbox,
  type OutboxStore,
} from '../../services/outbox/index.ts';
import type { PuppetDb } from '../../services/puppetdb/index.ts';
import type { PuppetDbClient } from '../../services/puppetdb-client/index.ts';
import { catalogEnvelope, factsCommand, storedFacts } from '../../services/puppetdb-terminus/index.ts';
import type { ReportProcessor } from '../../services/reports/index.ts';
import { type Periodic, periodically } from '../periodic.ts';
import { reportMaker, type TextMessage } from './text-message.ts';

/** Takes commands: durable when it resolves. */
export interface CommandSink {
  /** @param content - of a catalog; absent when it is the one that is kept for the node */
  submit(message: Message, content?: Content): Promise<void>;
  /** The name of the content that is kept of a node's last catalog. */
  findContent(certname: string): Promise<string | undefined>;
}

/** What the services for agents ask for. */
export interface NodeData {
  /** Whether reports tell of resources that nothing happened to. */
  readonly hasUnchangedResources: boolean;
  readonly facts: FactSink;
  readonly catalogs: CatalogTerminus;
  readonly reports: ReportProcessor<TextMessage>;
}

export interface NodeDataOptions {
  readonly sink: CommandSink;
  /** This server's certname. */
  readonly producer: string;
  readonly now: () => Date;
  /** Whether reports tell of resources that nothing happened to. */
  readonly hasUnchangedResources: boolean;
  readonly log: Logger;
}

export function nodeData({ hasUnchangedResources, log, now, producer, sink }: NodeDataOptions): NodeData {
  const sender = () => ({ producer, now: now() });
  return {
    hasUnchangedResources,
    facts: {
      async save(facts, environment, trusted) {
        if (facts.stored !== undefined) await othersTurn();
        const stored = facts.stored ?? storedFacts(facts, true);
        const message = factsCommand({ ...facts, stored, environment, trusted }, sender());
        if (stored.hadBytes) warnOfBytes(message, log);
        await sink.submit(message);
      },
    },
    catalogs: {
      findContent: (certname) => sink.findContent(certname),
      async save(catalog, contentId, text) {
        const content = text === undefined ? undefined : { id: contentId, text };
        await sink.submit({ ...catalogEnvelope(catalog, sender()), contentId }, content);
      },
    },
    reports: {
      make: reportMaker({ producer, hasUnchangedResources, now }),
      async process(_report, { hadBytes, message }) {
        if (hadBytes) warnOfBytes(message, log);
        await sink.submit(message);
      },
    },
  };
}

/** Large facts take some 20 ms for each thread that gets them: other connections are read in between. */
async function othersTurn(): Promise<void> {
  await setImmediate();
  // The first one may still belong to the turn of the event loop in which the other thread got them.
  await setImmediate();
}

function warnOfBytes({ certname, command }: Message, log: Logger): void {
  log.warn({ certname, command }, 'ignored invalid UTF-8 byte sequences in data for PuppetDB');
}

/** Commands wait on this server's disk until they are delivered. */
export function throughOutbox(outbox: Outbox, store: OutboxStore): CommandSink {
  return {
    submit: (message, content) => outbox.put(message, content),
    findContent: (certname) => store.contentId(certname),
  };
}

/** Commands go to the PuppetDB in this process at once, whose disk is this server's. */
export function straightTo(puppetDb: PuppetDb, store: OutboxStore): CommandSink {
  const destination = ownDestination(puppetDb);
  const { signal } = new AbortController();
  return {
    async submit(message, content) {
      if (content === undefined) {
        await deliver(message, store, destination, signal);
        return;
      }
      await destination.send(message, content, signal);
      await store.keepContent(message.certname, content);
    },
    findContent: (certname) => store.contentId(certname),
  };
}

/** Of commands that go one by one: their syncs are shared at the other end. */
const nodesAtOnce = 6;

/** The PuppetDB in this process. */
export function ownDestination(puppetDb: Pick<PuppetDb, 'submit'>): Destination {
  return {
    nodesAtOnce,
    send: ({ utf8, ...message }, content) =>
      submitDelivery(puppetDb, {
        ...message,
        payload: utf8 === undefined ? Buffer.from(namedPayload(message, content)) : Buffer.concat(utf8),
      }),
  };
}

/** Hands the PuppetDB in this process a command of a server of ours, which may only name the content of a catalog. */
export async function submitDelivery(
  puppetDb: Pick<PuppetDb, 'submit'>,
  command: Parameters<PuppetDb['submit']>[0],
): Promise<'taken' | 'content-wanted'> {
  const { outcome } = await puppetDb.submit(command);
  return outcome.kind === 'wanted' ? 'content-wanted' : 'taken';
}

/** Another PuppetDB, which has no names for the contents of catalogs. */
export function externalDestination(client: PuppetDbClient): Destination {
  return {
    nodesAtOnce,
    async send({ certname, command, contentId, payload, producerTimestamp, version }, content, signal) {
      if (contentId !== undefined && content === undefined) return 'content-wanted';
      const whole = content === undefined ? payload : `${payload.slice(0, -1)},${content.text}}`;
      await client.submit(
        {
          command,
          version,
          certname,
          producerTimestamp: new Date(producerTimestamp),
          payload: Buffer.from(whole),
        },
        signal,
      );
      return 'taken';
    },
  };
}

/** How long the content of a catalog is kept of which nothing is heard any more. */
const contentLifetimeMs = 7 * 24 * 60 * 60 * 1000;

const forgetIntervalMs = 24 * 60 * 60 * 1000;

/** Between attempts to deliver to somebody who does not answer. */
export const outboxRetryMs = 2000;

/** Forgets contents of catalogs once a day. */
export function forgetting(store: OutboxStore, now: () => Date, log: Logger): Periodic {
  const work = async () => {
    await store.deleteContents(new Date(now().getTime() - contentLifetimeMs));
    log.debug({}, 'forgot contents of old catalogs');
  };
  return periodically(work, forgetIntervalMs, log, 'forget contents of catalogs');
}
