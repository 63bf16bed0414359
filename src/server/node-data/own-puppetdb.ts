/** Which PuppetDB a primary has: one in this process, one that `puppetdb.conf` names, or both. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { DatabaseLocation } from '../../platform/storage/index.ts';
import { type Lifetimes, openPuppetDb, type PuppetDb } from '../../services/puppetdb/index.ts';
import { tellIfEmptied } from '../emptied-database.ts';
import { puppetDbPort } from '../ports/port-numbers.ts';
import { workerFile } from '../worker-files.ts';
import { externalPuppetDb, type RemotePuppetDb } from './used-puppetdb.ts';

/** Transactions on PostgreSQL at a time: enough to share its syncs. */
const writeConnections = 6;

export interface PuppetDbChoice {
  /** The one that `puppetdb.conf` names. */
  readonly external: RemotePuppetDb | undefined;
  /** The one in this process; beside an external one where its port was asked for. */
  readonly own: PuppetDb | undefined;
}

/** @throws ServiceError `bad-request` for a `puppetdb.conf` that is wrong */
export async function choosePuppetDb(settings: Settings, log: Logger): Promise<PuppetDbChoice> {
  const external = externalPuppetDb(settings, log.child({ service: 'puppetdb-client' }));
  const hasOwn = external === undefined || puppetDbPort(settings) !== 0;
  const own = hasOwn ? await openOwnPuppetDb(settings, log.child({ service: 'puppetdb' })) : undefined;
  return { external, own };
}

/** Opens PuppetDB where this server has it: in a file of its own or in PostgreSQL. */
export async function openOwnPuppetDb(settings: Settings, log: Logger): Promise<PuppetDb> {
  const location = puppetDbLocation(settings);
  if (location.kind === 'sqlite') await tellIfEmptied(location.path, log);
  return await openPuppetDb({
    location,
    workerUrl: workerFile('puppetdb-worker'),
    log,
    now: () => new Date(),
    newId: randomUUID,
    queryThreads: location.kind === 'sqlite' ? Math.min(settings.puppetDbReadPool, 2) : 1,
    queryTimeoutMs: settings.puppetDbQueryTimeoutSeconds * 1000,
    lifetimes: lifetimesOf(settings),
  });
}

export function puppetDbLocation(settings: Settings): DatabaseLocation {
  if (settings.puppetDbDatabase === '') {
    return { kind: 'sqlite', path: join(settings.stateDir, 'puppetdb.sqlite') };
  }
  return {
    kind: 'postgresql',
    url: settings.puppetDbDatabase,
    connections: Math.max(settings.puppetDbReadPool, writeConnections),
    statementTimeoutMs: settings.puppetDbQueryTimeoutSeconds * 1000,
  };
}

/** 0 is never. */
function lifetimesOf({ nodeTtlSeconds, nodePurgeTtlSeconds, reportTtlSeconds }: Settings): Lifetimes {
  return {
    ...(nodeTtlSeconds > 0 ? { nodeTtlMs: nodeTtlSeconds * 1000 } : {}),
    ...(nodePurgeTtlSeconds > 0 ? { nodePurgeTtlMs: nodePurgeTtlSeconds * 1000 } : {}),
    ...(reportTtlSeconds > 0 ? { reportTtlMs: reportTtlSeconds * 1000 } : {}),
  };
}
