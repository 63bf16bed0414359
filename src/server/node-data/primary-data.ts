/** Where the primary keeps what agents say and do: its own PuppetDB, or the one that `puppetdb.conf` names. */

import type { DatabaseLocation } from '../../platform/storage/index.ts';
import {
  type Delivery,
  type DeliveryTerminus,
  type Destination,
  Outbox,
  OutboxStore,
  unnamedPayload,
} from '../../services/outbox/index.ts';
import type { PuppetDb } from '../../services/puppetdb/index.ts';
import { deactivateCommand } from '../../services/puppetdb-terminus/index.ts';
import type { Foundation } from '../foundation.ts';
import {
  type CommandSink,
  externalDestination,
  forgetting,
  type NodeData,
  nodeData,
  outboxRetryMs,
  ownDestination,
  straightTo,
  submitDelivery,
  throughOutbox,
} from './node-data.ts';
import { puppetDbLocation } from './own-puppetdb.ts';
import type { RemotePuppetDb } from './used-puppetdb.ts';

export interface PrimaryData {
  readonly data: NodeData;
  /** What compile servers deliver. */
  readonly deliveries: DeliveryTerminus;
  /** A node that left. */
  deactivate(certname: string): Promise<void>;
  /** What waits for a PuppetDB elsewhere. */
  undelivered(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

/** @param own - absent when an external one is used */
export function openPrimaryData(
  foundation: Foundation,
  external: RemotePuppetDb | undefined,
  own: PuppetDb | undefined,
): PrimaryData {
  const { database, log, settings } = foundation;
  const now = () => new Date();
  const store = new OutboxStore(database, now);
  const { outbox, sink } = chooseSink(foundation, store, external, own);
  const producer = settings.certname;
  const forget = forgetting(store, now, log.child({ service: 'puppetdb' }));
  return {
    data: nodeData({
      sink,
      producer,
      now,
      hasUnchangedResources: external?.conf.includeUnchangedResources ?? false,
      log: log.child({ service: 'puppetdb' }),
    }),
    deliveries: {
      take: (command) => (own === undefined ? forward(sink, command) : submitDelivery(own, command)),
    },
    deactivate: (certname) => sink.submit(deactivateCommand(certname, now())),
    undelivered: async () => (await outbox?.count()) ?? 0,
    start() {
      outbox?.start();
      void forget.run();
    },
    async stop() {
      await forget.stop();
      await outbox?.stop();
    },
  };
}

function chooseSink(
  foundation: Foundation,
  store: OutboxStore,
  external: RemotePuppetDb | undefined,
  own: PuppetDb | undefined,
): { readonly outbox: Outbox | undefined; readonly sink: CommandSink } {
  const { kind }: DatabaseLocation = puppetDbLocation(foundation.settings);
  if (external === undefined && own !== undefined && kind === 'sqlite') {
    return { outbox: undefined, sink: straightTo(own, store) };
  }
  const outbox = new Outbox({
    store,
    destination: chooseDestination(external, own),
    log: foundation.log.child({ service: 'outbox' }),
    retryIntervalMs: outboxRetryMs,
    makeRoom: () => foundation.disks.makeRoom(),
  });
  return { outbox, sink: throughOutbox(outbox, store) };
}

function chooseDestination(external: RemotePuppetDb | undefined, own: PuppetDb | undefined): Destination {
  if (external !== undefined) return externalDestination(external.client);
  if (own === undefined) throw new Error('unreachable: neither an own nor an external PuppetDB');
  return ownDestination(own);
}

/** Compile servers deliver to the primary, which passes it on: their catalogs are wanted whole. */
async function forward(
  sink: CommandSink,
  { payload: sent, ...command }: Delivery,
): Promise<'taken' | 'content-wanted'> {
  const payload = unnamedPayload(command.command, Buffer.from(sent).toString('utf8'));
  if (payload === undefined) return 'content-wanted';
  await sink.submit({ ...command, payload });
  return 'taken';
}
