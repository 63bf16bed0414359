/** Edits of groups that have not been committed: kept in the tab until they are, also when its page is loaded again. */

import { useCallback, useMemo, useState } from 'react';
import type { GroupChanges, GroupRow } from '../../api/classifier.ts';
import { definitionOf, editsBetween, type GroupDefinition, withoutName } from '../../lib/group-edits.ts';

const key = 'bunraku.group-edits';

interface Drafts {
  readonly changed: Readonly<Record<string, GroupDefinition>>;
  readonly deleted: readonly string[];
}

const none: Drafts = { changed: {}, deleted: [] };

export interface Edit {
  readonly group: GroupDefinition;
  readonly sentences: readonly string[];
}

export interface GroupDrafts {
  /** All groups as they would be. */
  readonly groups: readonly GroupDefinition[];
  /** Groups that would change, or go. */
  readonly edits: readonly Edit[];
  /** As they are sent. */
  readonly changes: GroupChanges;
  readonly change: (group: GroupDefinition) => void;
  /** Deletes a group with the next commit; one that is not committed yet is forgotten. */
  readonly remove: (group: GroupDefinition) => void;
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
    (group: GroupDefinition) =>
      store(({ changed, deleted }) => {
        const isSame = originals.has(group.id) && editsBetween(originals.get(group.id), group).length === 0;
        const others = withoutName(changed, group.id);
        return { changed: isSame ? others : { ...others, [group.id]: group }, deleted };
      }),
    [store, originals],
  );
  const remove = useCallback(
    ({ id }: GroupDefinition) =>
      store(({ changed, deleted }) => ({
        changed: withoutName(changed, id),
        deleted: originals.has(id) ? [...deleted.filter((each) => each !== id), id] : deleted,
      })),
    [store, originals],
  );
  const discard = useCallback(() => store(() => none), [store]);
  return useMemo(
    () => ({ ...outcomeOf(drafts, originals), change, remove, discard }),
    [drafts, originals, change, remove, discard],
  );
}

function outcomeOf(
  { changed, deleted }: Drafts,
  originals: ReadonlyMap<string, GroupDefinition>,
): Pick<GroupDrafts, 'groups' | 'edits' | 'changes'> {
  const removed = deleted.flatMap((id) => originals.get(id) ?? []);
  const added = Object.values(changed).filter(({ id }) => !originals.has(id));
  const kept = Array.from(originals.values(), (each) => changed[each.id] ?? each);
  const groups = [...kept.filter(({ id }) => !deleted.includes(id)), ...added];
  const nameOf = (id: string) => groups.find((each) => each.id === id)?.name ?? id;
  const changes = Object.values(changed).map((group) => ({
    group,
    sentences: editsBetween(originals.get(group.id), group, nameOf),
  }));
  const edits = [
    ...changes.filter(({ sentences }) => sentences.length > 0),
    ...removed.map((group) => ({ group, sentences: [`Delete the group ${group.name}`] })),
  ];
  return {
    groups,
    edits,
    changes: {
      groups: edits.flatMap(({ group }) => (deleted.includes(group.id) ? [] : [group])),
      deleted: removed.map(({ id, serial_number: serial }) => ({
        id,
        ...(serial === undefined ? {} : { serial_number: serial }),
      })),
    },
  };
}

function readDrafts(): Drafts {
  try {
    return { ...none, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Drafts>) };
  } catch {
    return none; // of another version of the console
  }
}
