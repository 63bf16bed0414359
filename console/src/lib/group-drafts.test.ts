import { expect, test } from 'vitest';
import { type Drafts, noDrafts, outcomeOf, withEdit, withoutEdit, withRemoval } from './group-drafts.ts';
import type { GroupDefinition } from './group-edits.ts';

const web: GroupDefinition = {
  id: 'web',
  name: 'Web',
  parent: 'root',
  environment: 'production',
  environment_trumps: false,
  classes: {},
  variables: {},
  config_data: {},
  serial_number: 3,
};
const theirs = { ...web, variables: { owner: 'them' }, serial_number: 4 };

function stored(...groups: readonly GroupDefinition[]): ReadonlyMap<string, GroupDefinition> {
  return new Map(groups.map((group) => [group.id, group]));
}

test('a group is deleted in the version that was shown', () => {
  const drafts = withRemoval(noDrafts, web);

  expect(outcomeOf(drafts, stored(web))).toMatchObject({
    groups: [],
    edits: [{ sentences: ['Delete the group Web'] }],
    conflicts: [],
    changes: { groups: [], deleted: [{ id: 'web', serial_number: 3 }] },
  });
});

test('a deletion of a group that somebody else has changed since is a conflict, and is sent with the old version', () => {
  const drafts = withRemoval(noDrafts, web);
  const outcome = outcomeOf(drafts, stored(theirs));

  expect(outcome.conflicts).toEqual([{ kind: 'deletion', base: web, theirs }]);
  expect(outcome.changes.deleted).toEqual([{ id: 'web', serial_number: 3 }]);
  expect(outcomeOf(withRemoval(drafts, theirs), stored(theirs))).toMatchObject({
    conflicts: [],
    changes: { deleted: [{ id: 'web', serial_number: 4 }] },
  });
  expect(outcomeOf(withoutEdit(drafts, 'web'), stored(theirs))).toMatchObject({
    groups: [theirs],
    edits: [],
    conflicts: [],
  });
});

test('a deletion after own edits stands on the version that these began with', () => {
  const edited = { ...web, description: 'mine' };
  const drafts = withRemoval(withEdit(noDrafts, edited, stored(web)), edited);

  expect(drafts).toEqual({ changed: {}, bases: {}, removed: { web } });
  expect(outcomeOf(drafts, stored(theirs)).conflicts).toHaveLength(1);
});

test('what was changed and changed back is deleted as it is now', () => {
  const back = { ...web, serial_number: 5 };
  const outcome = outcomeOf(withRemoval(noDrafts, web), stored(back));

  expect(outcome.conflicts).toEqual([]);
  expect(outcome.changes.deleted).toEqual([{ id: 'web', serial_number: 5 }]);
});

test('nothing is left to delete of a group that is gone, or that was never committed', () => {
  const { serial_number: _, ...fresh } = { ...web, id: 'new' };
  const drafts: Drafts = withRemoval(withEdit(noDrafts, fresh, stored()), fresh);

  expect(drafts).toEqual(noDrafts);
  expect(outcomeOf(withRemoval(noDrafts, web), stored())).toMatchObject({ edits: [], conflicts: [] });
});

test('an edit of a group that somebody else has changed since is a conflict', () => {
  const mine = { ...web, description: 'mine' };
  const drafts = withEdit(noDrafts, mine, stored(web));

  expect(outcomeOf(drafts, stored(web))).toMatchObject({ conflicts: [], changes: { groups: [mine] } });
  expect(outcomeOf(drafts, stored(theirs)).conflicts).toEqual([{ kind: 'edit', base: web, mine, theirs }]);
  expect(outcomeOf(drafts, stored())).toMatchObject({ conflicts: [{ kind: 'edit', mine }] });
});
