/** Edits of groups that have not been committed: kept in the tab until they are, also when its page is loaded again. */

import { useCallback, useMemo, useState } from 'react';
import type { GroupRow } from '../../api/classifier.ts';
import {
  type Conflict,
  type DraftOutcome,
  type Drafts,
  noDrafts,
  outcomeOf,
  withEdit,
  withoutEdit,
  withRemoval,
} from '../../lib/group-drafts.ts';
import { definitionOf, type GroupDefinition } from '../../lib/group-edits.ts';

const key = 'bunraku.group-edits';

export interface GroupDrafts extends DraftOutcome {
  readonly change: (group: GroupDefinition) => void;
  /**
   * Deletes a group with the next commit; one that is not committed yet is forgotten.
   *
   * @param group - the version that the user has seen: a later one is not deleted before it was shown
   */
  readonly remove: (group: GroupDefinition) => void;
  /**
   * Ends a conflict: the group is edited as it is committed now.
   *
   * @param group - `undefined` to forget its edits or its deletion
   */
  readonly resolve: (conflict: Conflict, group: GroupDefinition | undefined) => void;
  /** Forgets all edits. */
  readonly discard: () => void;
}

export function useGroupDrafts(stored: readonly GroupRow[]): GroupDrafts {
  const [drafts, setDrafts] = useState(readDrafts);
  const store = useCallback((update: (before: Drafts) => Drafts) => {
    setDrafts((before) => {
      const next = update(before);
      sessionStorage.setItem(key, JSON.stringify(next));
      return next;
    });
  }, []);
  const originals = useMemo(() => new Map(stored.map((row) => [row.id, definitionOf(row)])), [stored]);
  const change = useCallback(
    (group: GroupDefinition) => store((before) => withEdit(before, group, originals)),
    [store, originals],
  );
  const resolve = useCallback(
    ({ base }: Conflict, group: GroupDefinition | undefined) =>
      store((before) => {
        const without = withoutEdit(before, base.id);
        return group === undefined ? without : withEdit(without, group, originals);
      }),
    [store, originals],
  );
  const remove = useCallback(
    (group: GroupDefinition) => store((before) => withRemoval(before, group)),
    [store],
  );
  const discard = useCallback(() => store(() => noDrafts), [store]);
  return useMemo(
    () => ({ ...outcomeOf(drafts, originals), change, remove, resolve, discard }),
    [drafts, originals, change, remove, resolve, discard],
  );
}

function readDrafts(): Drafts {
  try {
    return { ...noDrafts, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Drafts>) };
  } catch {
    return noDrafts; // of another version of the console
  }
}
