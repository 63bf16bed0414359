/** The record of who changed what, and how long it is kept. */

import { ActivityStore } from '../../services/activity/index.ts';
import type { Foundation } from '../foundation.ts';
import { type Periodic, periodically } from '../periodic.ts';

const dayMs = 24 * 60 * 60 * 1000;

export function openActivity({ database }: Foundation): ActivityStore {
  return new ActivityStore(database);
}

/** Removes changes that are older than the setting says, once a day. */
export function pruneActivity(store: ActivityStore, { log, settings }: Foundation): Periodic | undefined {
  const { activityRetentionSeconds: seconds } = settings;
  if (seconds === 0) return undefined;
  const logger = log.child({ service: 'activity' });
  const prune = async () => {
    const before = new Date(Date.now() - seconds * 1000);
    const removed = await store.removeBefore(before);
    if (removed > 0)
      logger.info({ removed, before: before.toISOString() }, 'removed old changes from the record');
  };
  return periodically(prune, dayMs, logger, 'remove old changes from the record');
}
