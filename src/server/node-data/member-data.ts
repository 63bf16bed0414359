/** What becomes of agents' data on a compile server: it waits on disk for the primary, or for the PuppetDB of `puppetdb.conf`. */

import { Outbox, OutboxStore, primaryDestination } from '../../services/outbox/index.ts';
import type { AgentTermini } from '../agents/agent-services.ts';
import type { Foundation } from '../foundation.ts';
import type { PrimaryLink } from '../infrastructure/primary-link.ts';
import { externalDestination, forgetting, nodeData, outboxRetryMs, throughOutbox } from './node-data.ts';
import { externalPuppetDb, primaryPuppetDb } from './used-puppetdb.ts';

export interface MemberData {
  readonly termini: Pick<AgentTermini, 'data' | 'findFacts' | 'puppetDb'>;
  undelivered(): Promise<number>;
  start(): void;
  /** @param isLeaving - deliver all that there is first */
  stop(isLeaving: boolean): Promise<void>;
  /** After the stop of a server that leaves: whether all has been delivered. */
  readonly isDrained: boolean;
}

/** How long a server that leaves may take to deliver what it has. */
const flushTimeoutMs = 60_000;

export function openMemberData(
  { database, disks, log, settings }: Foundation,
  { client, primaryUrl }: PrimaryLink,
): MemberData {
  const puppetDbLog = log.child({ service: 'puppetdb-client' });
  const external = externalPuppetDb(settings, puppetDbLog);
  const puppetDb = external ?? primaryPuppetDb(settings, primaryUrl, puppetDbLog);
  const now = () => new Date();
  const store = new OutboxStore(database, now);
  const outboxLog = log.child({ service: 'outbox' });
  const outbox = new Outbox({
    store,
    destination:
      external === undefined ? primaryDestination(client, primaryUrl) : externalDestination(external.client),
    log: outboxLog,
    retryIntervalMs: outboxRetryMs,
    makeRoom: () => disks.makeRoom(),
  });
  const forget = forgetting(store, now, outboxLog);
  let isDrained = false;
  return {
    get isDrained() {
      return isDrained;
    },
    termini: {
      findFacts: puppetDb.findFacts,
      puppetDb: puppetDb.compiler,
      data: nodeData({
        sink: throughOutbox(outbox, store),
        producer: settings.certname,
        now,
        hasUnchangedResources: puppetDb.conf.includeUnchangedResources,
        log: outboxLog,
      }),
    },
    undelivered: () => outbox.count(),
    start() {
      outbox.start();
      void forget.run();
    },
    async stop(isLeaving) {
      await forget.stop();
      isDrained = !isLeaving || (await outbox.flushed(flushTimeoutMs));
      await outbox.stop();
      puppetDb.close();
    },
  };
}
