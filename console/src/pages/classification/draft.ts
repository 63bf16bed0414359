/** Edits of groups that have not been committed: kept in the tab until they are, also when its page is loaded again. */

import { useCallback, useMemo, useState } from 'react';
import type { GroupChanges, GroupRow } from '../../api/classifier.ts';
import { definitionOf, editsBetween, type GroupDefinition, withoutName } from '../../lib/group-edits.ts';

const key = 'bunraku.group-edits';

interface Drafts {
  readonly changed: Readonly<Record<string, GroupDefinition>>;
  /** The groups as they were when their edits began. */
  readonly bases: Readonly<Record<string, GroupDefinition>>;
  readonly deleted: readonly string[];
}

const none: Drafts = { changed: {}, bases: {}, deleted: [] };

export interface Edit {
  readonly group: GroupDefinition;
  readonly sentences: readonly string[];
}

/** An edited group that somebody else has changed meanwhile. */
export interface Conflict {
  readonly base: GroupDefinition;
  readonly mine: GroupDefinition;
  /** Absent where it has been deleted. */
  readonly theirs: GroupDefinition | undefined;
}

export interface GroupDrafts {
  /** All groups as they would be. */
  readonly groups: readonly GroupDefinition[];
  /** Groups that would change, or go. */
  readonly edits: readonly Edit[];
  /** Must be resolved before a commit. */
  readonly conflicts: readonly Conflict[];
  /** As they are sent. */
  readonly changes: GroupChanges;
  readonly change: (group: GroupDefinition) => void;
  /** Deletes a group with the next commit; one that is not committed yet is forgotten. */
  readonly remove: (group: GroupDefinition) => void;
  /** Ends a conflict: the group is edited as it is committed now. @param group - `undefined` to forget its edits */
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
    ({ mine }: Conflict, group: GroupDefinition | undefined) =>
      store((before) => {
        const without = withoutEdit(before, mine.id);
        return group === undefined ? without : withEdit(without, group, originals);
      }),
    [store, originals],
  );
  const remove = useCallback(
    ({ id }: GroupDefinition) =>
      store((before) => {
        const { deleted, ...rest } = withoutEdit(before, id);
        return {
          ...rest,
          deleted: originals.has(id) ? [...deleted.filter((each) => each !== id), id] : deleted,
        };
      }),
    [store, originals],
  );
  const discard = useCallback(() => store(() => none), [store]);
  return useMemo(
    () => ({ ...outcomeOf(drafts, originals), change, remove, resolve, discard }),
    [drafts, originals, change, remove, resolve, discard],
  );
}

type Originals = ReadonlyMap<string, GroupDefinition>;

function withEdit(drafts: Drafts, group: GroupDefinition, originals: Originals): Drafts {
  const original = originals.get(group.id);
  const isSame = original !== undefined && editsBetween(original, group).length === 0;
  if (isSame) return withoutEdit(drafts, group.id);
  const base = drafts.bases[group.id] ?? original;
  return {
    changed: { ...withoutName(drafts.changed, group.id), [group.id]: group },
    bases: base === undefined ? drafts.bases : { ...drafts.bases, [group.id]: base },
    deleted: drafts.deleted,
  };
}

function withoutEdit({ bases, changed, deleted }: Drafts, id: string): Drafts {
  return { changed: withoutName(changed, id), bases: withoutName(bases, id), deleted };
}

function conflictsOf({ bases, changed }: Drafts, originals: Originals): readonly Conflict[] {
  return Object.values(changed).flatMap((mine) => {
    const theirs = originals.get(mine.id);
    if (mine.serial_number === undefined || mine.serial_number === theirs?.serial_number) return [];
    if (theirs !== undefined && editsBetween(theirs, mine).length === 0) return [];
    return [{ base: bases[mine.id] ?? theirs ?? mine, mine, theirs }];
  });
}

function outcomeOf(
  drafts: Drafts,
  originals: Originals,
): Pick<GroupDrafts, 'groups' | 'edits' | 'changes' | 'conflicts'> {
  const { bases, changed, deleted } = drafts;
  const removed = deleted.flatMap((id) => originals.get(id) ?? []);
  const added = Object.values(changed).filter(({ id }) => !originals.has(id));
  const kept = Array.from(originals.values(), (each) => changed[each.id] ?? each);
  const groups = [...kept.filter(({ id }) => !deleted.includes(id)), ...added];
  const nameOf = (id: string) => groups.find((each) => each.id === id)?.name ?? id;
  const changes = Object.values(changed).map((group) => ({
    group,
    sentences: sentencesOf(group, originals.get(group.id), bases[group.id], nameOf),
  }));
  const edits = [
    ...changes.filter(({ sentences }) => sentences.length > 0),
    ...removed.map((group) => ({ group, sentences: [`Delete the group ${group.name}`] })),
  ];
  return {
    groups,
    edits,
    conflicts: conflictsOf(drafts, originals),
    changes: {
      groups: edits.flatMap(({ group }) => (deleted.includes(group.id) ? [] : [group])),
      deleted: removed.map(({ id, serial_number: serial }) => ({
        id,
        ...(serial === undefined ? {} : { serial_number: serial }),
      })),
    },
  };
}

/** The user's own edits, even when somebody else has changed the group since. */
function sentencesOf(
  group: GroupDefinition,
  original: GroupDefinition | undefined,
  base: GroupDefinition | undefined,
  nameOf: (id: string) => string,
): readonly string[] {
  const sentences = editsBetween(original, group, nameOf);
  const isMovedOn = original !== undefined && original.serial_number !== group.serial_number;
  return isMovedOn && sentences.length > 0 ? editsBetween(base, group, nameOf) : sentences;
}

function readDrafts(): Drafts {
  try {
    return { ...none, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Drafts>) };
  } catch {
    return none; // of another version of the console
  }
}
