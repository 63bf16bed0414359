/** Which nodes were classified when, and why: stored where a setting or a group of the primary says so. */

import type { Json } from '../../lib/json.ts';
import { CheckInQueue, CheckInStore } from '../../services/classifier/index.ts';
import type { Foundation } from '../foundation.ts';
import { type Periodic, periodically } from '../periodic.ts';

export interface NodeCheckIns {
  readonly store: CheckInStore;
  readonly queue: CheckInQueue;
  readonly isStoring: () => boolean;
  /** Removes what is older than the setting says; absent where everything is kept. */
  readonly pruning: Periodic | undefined;
  /** Stores what has not been stored yet. */
  stop(): Promise<void>;
}

const saveMs = 1000;
const hourMs = 60 * 60 * 1000;

/** @param saidByGroups - the value of the parameter that switches the storage on */
export function openCheckIns(
  { database, log, settings }: Foundation,
  saidByGroups: () => Json | undefined,
): NodeCheckIns {
  const store = new CheckInStore(database);
  const logger = log.child({ service: 'classifier' });
  const isStoring = () => settings.storesCheckIns || String(saidByGroups()) === 'true';
  const queue = new CheckInQueue({
    isStoring,
    save: (checkIns) => store.add(checkIns),
    log: logger,
    intervalMs: saveMs,
    now: () => new Date(),
  });
  const { checkInRetentionSeconds: seconds } = settings;
  const prune = async () => {
    const removed = await store.removeBefore(new Date(Date.now() - seconds * 1000));
    if (removed > 0) logger.info({ removed }, 'removed old check-ins of nodes');
  };
  const pruning =
    seconds === 0 ? undefined : periodically(prune, hourMs, logger, 'remove old check-ins of nodes');
  return {
    store,
    queue,
    isStoring,
    pruning,
    async stop() {
      await pruning?.stop();
      await queue.flush();
    },
  };
}
