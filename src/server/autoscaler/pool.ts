/** The pool of compile servers, joined with their register. */

import { randomBytes } from 'node:crypto';
import { type Driver, Pool, PoolStore, type ServerFact } from '../../services/autoscaler/index.ts';
import type { Foundation } from '../foundation.ts';
import type { Infrastructure, RegisteredServer } from '../infrastructure/infrastructure.ts';
import { inPool } from './pool-servers.ts';

export interface PoolParts {
  readonly infrastructure: Pick<Infrastructure, 'compileServers' | 'forget' | 'onGranted' | 'orderToLeave'>;
}

/** A busy machine may take so long, however fast the last launches were. */
const leastLeadMs = 30_000;

export async function openPool(
  { database, log, settings }: Foundation,
  driver: Driver,
  { infrastructure }: PoolParts,
  nowMs: () => number,
): Promise<Pool> {
  const { forget, onGranted, orderToLeave } = infrastructure;
  const lostTimeoutMs = settings.autoscalerLostTimeoutSeconds * 1000;
  const [, ...domain] = settings.certname.split('.');
  const pool = await Pool.load({
    driver,
    servers: {
      servers: () => infrastructure.compileServers().map(factOf),
      orderToLeave,
      forget,
    },
    store: new PoolStore(database),
    control: {
      lostTimeoutMs: lostTimeoutMs === 0 ? undefined : lostTimeoutMs,
      leastLeadMs: leastLeadMs * settings.autoscalerTimeLapse,
      random: Math.random,
      newKey: () => randomBytes(6).toString('hex'),
      certnameOf: (key) => [`pool-${key}`, ...domain].join('.'),
    },
    now: () => new Date(),
    nowMs,
    log: log.child({ service: 'autoscaler' }),
  });
  onGranted((certname) => pool.noteGranted(certname));
  return pool;
}

function factOf(server: RegisteredServer): ServerFact {
  const { certname, isOrderedToLeave, report, silentMs, state } = server;
  const { phase } = inPool(server) ?? {};
  return { certname, state, phase, isOrderedToLeave, undelivered: report?.undelivered ?? 0, silentMs };
}
