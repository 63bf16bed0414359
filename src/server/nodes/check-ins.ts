/** Stores the time and the reasons of classifications, if a setting or a group of the primary enables it. */

import type { Json } from '../../lib/json.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { Database } from '../../platform/storage/index.ts';
import { CheckInQueue, CheckInStore } from '../../services/classifier/index.ts';
import { type Periodic, periodically } from '../periodic.ts';

export interface NodeCheckIns {
  readonly store: CheckInStore;
  readonly queue: CheckInQueue;
  readonly isStoring: () => boolean;
  /** Removes old check-ins. */
  readonly pruning: Periodic;
  /** Stores what has not been stored yet. */
  stop(): Promise<void>;
}

interface CheckInFoundation {
  readonly database: Database;
  readonly log: Pick<Logger, 'child'>;
  readonly settings: Pick<Settings, 'storesCheckIns' | 'checkInRetentionSeconds'>;
}

const saveMs = 1000;
const hourMs = 60 * 60 * 1000;
const daySeconds = 24 * 60 * 60;

/** @param saidByGroups - values of the class that Puppet Enterprise has for its console */
export function openCheckIns(
  { database, log, settings }: CheckInFoundation,
  saidByGroups: (parameter: string) => Json | undefined,
): NodeCheckIns {
  const store = new CheckInStore(database);
  const logger = log.child({ service: 'classifier' });
  const isStoring = () =>
    settings.storesCheckIns || String(saidByGroups('classifier_node_check_in_storage')) === 'true';
  const queue = new CheckInQueue({
    isStoring,
    save: (checkIns) => store.add(checkIns),
    log: logger,
    intervalMs: saveMs,
    now: () => new Date(),
  });
  const prune = async () => {
    const days = String(saidByGroups('classifier_prune_threshold'));
    const seconds = /^\d+$/.test(days) ? Number(days) * daySeconds : settings.checkInRetentionSeconds;
    if (seconds === 0) return;
    const removed = await store.removeBefore(new Date(Date.now() - seconds * 1000));
    if (removed > 0) logger.info({ removed }, 'removed old check-ins of nodes');
  };
  const pruning = periodically(prune, hourMs, logger, 'remove old check-ins of nodes');
  return {
    store,
    queue,
    isStoring,
    pruning,
    async stop() {
      await pruning.stop();
      await queue.flush();
    },
  };
}
