/** What the console compares to say why a run changed something: versions of code, the record of changes, check-ins. */

import type { ActivityStore } from '../../services/activity/index.ts';
import type { CheckInStore } from '../../services/classifier/index.ts';
import type { FleetSource, WhySource } from '../../services/console/index.ts';
import { commitOf, type FileSyncStorage } from '../../services/filesync/index.ts';

export interface WhyParts {
  readonly fleet: Pick<FleetSource, 'rows'>;
  readonly storage: Pick<FileSyncStorage, 'files'>;
  readonly activity: { readonly store: Pick<ActivityStore, 'list'> };
  /** Absent where others classify. */
  readonly checkIns: Pick<CheckInStore, 'of'> | undefined;
}

/** Of changes between two runs. */
const mostChanges = 200;

export function consoleWhy({ activity, checkIns, fleet, storage }: WhyParts): WhySource {
  return {
    rows: (...asked) => fleet.rows(...asked),
    async changedFiles(environment, before, after) {
      const [left, right] = [commitOf(before), commitOf(after)];
      if (left === undefined || right === undefined) return undefined;
      return await storage.files.compare(environment, left, right);
    },
    async changedLines(environment, before, after, path) {
      const [left, right] = [commitOf(before), commitOf(after)];
      if (left === undefined || right === undefined) return '';
      return await storage.files.changedLines(environment, left, right, path);
    },
    ...(checkIns === undefined ? {} : groupSource(activity, checkIns)),
  };
}

function groupSource(
  { store }: WhyParts['activity'],
  checkIns: Pick<CheckInStore, 'of'>,
): Required<Pick<WhySource, 'groupChanges' | 'explanation'>> {
  return {
    async groupChanges(from, to) {
      const changes = await store.list({
        services: ['classifier'],
        objectType: undefined,
        objectId: undefined,
        by: undefined,
        words: undefined,
        from,
        to,
        before: undefined,
        limit: mostChanges,
      });
      return changes.map(({ author, events, id, object, time }) => ({
        id,
        time,
        by: author.name,
        message: events.map(({ message }) => message).join('; '),
        groupId: object.id,
        group: object.name,
      }));
    },
    async explanation(certname, transactionUuid) {
      const found = (await checkIns.of(certname)).find((each) => each.transactionUuid === transactionUuid);
      return found === undefined ? undefined : (JSON.parse(found.explanation) as Record<string, unknown>);
    },
  };
}
