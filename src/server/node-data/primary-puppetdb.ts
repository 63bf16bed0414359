/** PuppetDB as the primary has it: what is kept there, who asks it, and its port. */

import { Readable } from 'node:stream';
import { type Access, operators, type Route } from '../../platform/http/index.ts';
import type { CertificateAuthority } from '../../services/ca/index.ts';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';
import type { FleetSource } from '../../services/console/index.ts';
import type { CheckIn } from '../../services/infrastructure/index.ts';
import { outboxRoutes } from '../../services/outbox/index.ts';
import { memberQueryRoutes, type PuppetDb } from '../../services/puppetdb/index.ts';
import type { AgentTermini } from '../agents/agent-services.ts';
import type { ServiceCertificates } from '../ca/service-certificates.ts';
import type { Foundation } from '../foundation.ts';
import { openPuppetDbPort, type PuppetDbClients, type PuppetDbPort } from '../ports/puppetdb-port.ts';
import type { ServedPart } from '../served-part.ts';
import type { PuppetDbChoice } from './own-puppetdb.ts';
import { ownPuppetDb } from './own-termini.ts';
import { openPrimaryData } from './primary-data.ts';

export interface PrimaryPuppetDb extends ServedPart {
  readonly termini: Pick<AgentTermini, 'data' | 'findFacts' | 'puppetDb'>;
  /** The API for users; none where PuppetDB is elsewhere. */
  readonly userRoutes: readonly Route[];
  /** As `PuppetDb.queryParts`; absent without a PuppetDB. */
  readonly queryParts: RowsInParts | undefined;
  /** Calls back whenever something of a node was stored; never where PuppetDB is elsewhere. @returns what ends that */
  onStored(listener: (certname: string) => void): () => void;
  /** A node that left. */
  deactivate(certname: string): Promise<void>;
  /** What waits for a PuppetDB elsewhere. */
  undelivered(): Promise<number>;
  /** What PuppetDB's own port says of it. */
  services(): CheckIn['services'];
  start(): void;
  /** After the last command was sent. */
  stop(drainTimeoutMs: number): Promise<void>;
}

/** Compile servers, and people with an administrator's certificate. */
const members: Access = { kind: 'any-of', of: [{ kind: 'infrastructure' }, operators] };

export async function openPrimaryPuppetDb(
  foundation: Foundation,
  { external, own }: PuppetDbChoice,
  certificates: ServiceCertificates,
  clients: PuppetDbClients,
): Promise<PrimaryPuppetDb> {
  const { log, settings } = foundation;
  const port = own && (await openPuppetDbPort(foundation, certificates, own, clients));
  const asked = external ?? (own && ownPuppetDb(settings, own, log.child({ service: 'puppetdb-client' })));
  const kept = openPrimaryData(foundation, external, external === undefined ? own : undefined);
  return {
    termini: {
      puppetDb: asked?.compiler,
      findFacts: async (certname, signal) => asked?.findFacts(certname, signal),
      data: kept.data,
    },
    routes: [...outboxRoutes(kept.deliveries), ...(own === undefined ? [] : memberQueryRoutes(own, members))],
    userRoutes: port?.routes ?? [],
    queryParts: rowsInParts(own, asked?.compiler),
    onStored: (listener) => own?.onStored(listener) ?? (() => {}),
    deactivate: (certname) => kept.deactivate(certname),
    undelivered: () => kept.undelivered(),
    services: () => (port === undefined ? {} : { 'puppetdb-status': statusOf(port, settings.serverPort) }),
    start: () => kept.start(),
    async stop(drainTimeoutMs) {
      await kept.stop();
      await port?.stop(drainTimeoutMs);
      asked?.close();
    },
  };
}

/** All exports count as one client, so that slow downloads leave threads to others. */
const exporting = 'exports of the console';
type RowsInParts = FleetSource['rowsInParts'];

/** From a PuppetDB elsewhere in one part. */
function rowsInParts(
  own: PuppetDb | undefined,
  terminus: PuppetDbTerminus | undefined,
): RowsInParts | undefined {
  if (terminus === undefined) return undefined;
  return async (pql, signal) => {
    const parts =
      own === undefined
        ? await terminus.query(pql, signal)
        : await own.queryParts({ kind: 'root', query: pql }, signal, exporting);
    return typeof parts === 'string' ? Readable.from([parts]) : parts;
  };
}

/** @param serverPort - where its API is, too, and alone where it has no port of its own */
function statusOf({ port, queueDepth }: PuppetDbPort, serverPort: number): CheckIn['services'][string] {
  const status = { queue_depth: queueDepth };
  return { state: 'running', status, port: port ?? serverPort, active_alerts: [] };
}

/** Nodes whose certificates are cleaned are gone. */
export function deactivateCleaned(
  ca: CertificateAuthority,
  puppetDb: PrimaryPuppetDb,
  { log }: Pick<Foundation, 'log'>,
): void {
  ca.onCleaned((certname) =>
    puppetDb.deactivate(certname).catch((err: unknown) => {
      log.error({ certname, err }, 'node could not be deactivated in PuppetDB');
    }),
  );
}
