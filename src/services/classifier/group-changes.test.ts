import { expect, test } from 'vitest';
import { serverItself } from '../../platform/changes/index.ts';
import type { Group } from './group.ts';
import { groupChanges } from './group-changes.ts';

const time = new Date('2026-01-02T03:04:05.678Z');
const by = { author: serverItself, time };
const web: Group = {
  id: 'a',
  name: 'Web',
  parent: 'p',
  environment: 'production',
  environmentTrumps: false,
  rule: ['or', ['=', ['fact', 'role'], 'web'], ['=', 'name', 'one.test']],
  classes: { apache: { port: 80, secret: 'old' }, ntp: {} },
  variables: { tier: 'front' },
  configData: { apache: { mpm: 'event' } },
  serialNumber: 1,
  lastEdited: time,
};

const messages = (before: readonly Group[], after: readonly Group[]): readonly string[] =>
  groupChanges(before, after, by).flatMap(({ events }) => events.map(({ message }) => message));

test('a new group and a deleted one are one event each, with the group as it is and was', () => {
  const [created] = groupChanges([], [web], by);
  const [deleted] = groupChanges([web], [], by);

  expect(created?.events).toEqual([
    { action: 'create', what: 'node_group', message: 'Created the "Web" group with id a' },
  ]);
  expect(created).toMatchObject({ ...by, object: { type: 'node_groups', id: 'a', name: 'Web' } });
  expect(created?.after).toMatchObject({ name: 'Web', classes: web.classes });
  expect(created).not.toHaveProperty('before');
  expect(deleted?.events.map(({ message }) => message)).toEqual(['Deleted the "Web" group with id a']);
  expect(deleted).not.toHaveProperty('after');
});

test('each part that differs is an event, and no value of a parameter is told', () => {
  const after: Group = {
    ...web,
    name: 'Web servers',
    environment: 'testing',
    rule: ['or', ['=', ['fact', 'role'], 'db'], ['=', 'name', 'two.test']],
    classes: { apache: { port: 80, secret: 'new', vhosts: [] }, php: {} },
    variables: {},
    configData: { apache: {} },
  };

  const told = messages([web], [after]);

  expect(told).toEqual([
    'Changed the name of the "Web servers" group from "Web" to "Web servers"',
    'Changed the environment of the "Web servers" group from "production" to "testing"',
    'Pinned the node "two.test" to the "Web servers" group',
    'Unpinned the node "one.test" from the "Web servers" group',
    'Changed the rule of the "Web servers" group',
    'Changed the parameter "secret" of the class "apache" in the "Web servers" group',
    'Added the parameter "vhosts" to the class "apache" in the "Web servers" group',
    'Removed the class "ntp" from the "Web servers" group',
    'Added the class "php" to the "Web servers" group',
    'Removed the variable "tier" from the "Web servers" group',
    'Removed the parameter "mpm" from the configuration data of the class "apache" in the "Web servers" group',
  ]);
});

test('a group that only has another serial number has not changed; others of the hierarchy have not either', () => {
  const other = { ...web, id: 'b', name: 'Other' };

  expect(
    messages(
      [web, other],
      [
        { ...web, serialNumber: 2 },
        { ...other, description: 'x' },
      ],
    ),
  ).toEqual(['Changed the description of the "Other" group from "" to "x"']);
});
