/** Edits and deletions of groups that have not been committed, beside the groups as they are committed now. */

import { editsBetween, type GroupDefinition, withoutName } from './group-edits.ts';

export interface Drafts {
  readonly changed: Readonly<Record<string, GroupDefinition>>;
  /** The groups as they were when their edits began. */
  readonly bases: Readonly<Record<string, GroupDefinition>>;
  /** Groups to delete, as they were when their deletion was chosen. */
  readonly removed: Readonly<Record<string, GroupDefinition>>;
}

export const noDrafts: Drafts = { changed: {}, bases: {}, removed: {} };

/** The groups as they are committed, by id. */
export type Originals = ReadonlyMap<string, GroupDefinition>;

export interface Edit {
  readonly group: GroupDefinition;
  readonly sentences: readonly string[];
}

/** An edited group that somebody else has changed or deleted meanwhile. */
export interface EditConflict {
  readonly kind: 'edit';
  readonly base: GroupDefinition;
  readonly mine: GroupDefinition;
  /** Absent where it has been deleted. */
  readonly theirs: GroupDefinition | undefined;
}

/** A group to delete that somebody else has changed meanwhile. */
export interface DeletionConflict {
  readonly kind: 'deletion';
  /** As it was when its deletion was chosen. */
  readonly base: GroupDefinition;
  readonly theirs: GroupDefinition;
}

export type Conflict = EditConflict | DeletionConflict;

export interface DraftOutcome {
  /** All groups as they would be. */
  readonly groups: readonly GroupDefinition[];
  /** Groups that would change, or go. */
  readonly edits: readonly Edit[];
  /** Must be resolved before a commit. */
  readonly conflicts: readonly Conflict[];
  /** As they are sent. */
  readonly changes: {
    readonly groups: readonly GroupDefinition[];
    readonly deleted: readonly Pick<GroupDefinition, 'id' | 'serial_number'>[];
  };
}

export function withEdit(drafts: Drafts, group: GroupDefinition, originals: Originals): Drafts {
  const original = originals.get(group.id);
  const isSame = original !== undefined && editsBetween(original, group).length === 0;
  if (isSame) return withoutEdit(drafts, group.id);
  const base = drafts.bases[group.id] ?? original;
  return {
    ...drafts,
    changed: { ...withoutName(drafts.changed, group.id), [group.id]: group },
    bases: base === undefined ? drafts.bases : { ...drafts.bases, [group.id]: base },
  };
}

/** The group is kept, as it is committed. */
export function withoutEdit({ bases, changed, removed }: Drafts, id: string): Drafts {
  return {
    changed: withoutName(changed, id),
    bases: withoutName(bases, id),
    removed: withoutName(removed, id),
  };
}

/**
 * Deletes a group; one that was never committed is forgotten.
 *
 * @param shown - the version that the user has seen, with its edits
 */
export function withRemoval(drafts: Drafts, shown: GroupDefinition): Drafts {
  const rest = withoutEdit(drafts, shown.id);
  if (shown.serial_number === undefined) return rest;
  const base = drafts.bases[shown.id] ?? shown;
  return { ...rest, removed: { ...rest.removed, [shown.id]: base } };
}

export function outcomeOf(drafts: Drafts, originals: Originals): DraftOutcome {
  const { bases, changed, removed } = drafts;
  const gone = Object.values(removed).filter(({ id }) => originals.has(id));
  const added = Object.values(changed).filter(({ id }) => !originals.has(id));
  const kept = Array.from(originals.values(), (each) => changed[each.id] ?? each);
  const groups = [...kept.filter(({ id }) => removed[id] === undefined), ...added];
  const nameOf = (id: string) => groups.find((each) => each.id === id)?.name ?? id;
  const changes = Object.values(changed)
    .map((group) => ({
      group,
      sentences: sentencesOf(group, originals.get(group.id), bases[group.id], nameOf),
    }))
    .filter(({ sentences }) => sentences.length > 0);
  return {
    groups,
    edits: [...changes, ...gone.map((group) => ({ group, sentences: [`Delete the group ${group.name}`] }))],
    conflicts: conflictsOf(drafts, originals),
    changes: {
      groups: changes.map(({ group }) => group),
      deleted: gone.map((base) => deletionOf(base, originals.get(base.id))),
    },
  };
}

function conflictsOf({ bases, changed, removed }: Drafts, originals: Originals): readonly Conflict[] {
  const edits = Object.values(changed).flatMap((mine): readonly Conflict[] => {
    const theirs = originals.get(mine.id);
    if (mine.serial_number === undefined || mine.serial_number === theirs?.serial_number) return [];
    if (theirs !== undefined && editsBetween(theirs, mine).length === 0) return [];
    return [{ kind: 'edit', base: bases[mine.id] ?? theirs ?? mine, mine, theirs }];
  });
  const deletions = Object.values(removed).flatMap((base): readonly Conflict[] => {
    const theirs = originals.get(base.id);
    return theirs === undefined || isAsSeen(base, theirs) ? [] : [{ kind: 'deletion', base, theirs }];
  });
  return [...edits, ...deletions];
}

/** The server refuses to delete another version than this one. */
function deletionOf(base: GroupDefinition, stored: GroupDefinition | undefined) {
  const { id, serial_number: serial } = stored !== undefined && isAsSeen(base, stored) ? stored : base;
  return { id, ...(serial === undefined ? {} : { serial_number: serial }) };
}

/** Also when somebody has changed it and changed it back. */
function isAsSeen(base: GroupDefinition, stored: GroupDefinition): boolean {
  return base.serial_number === stored.serial_number || editsBetween(base, stored).length === 0;
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
