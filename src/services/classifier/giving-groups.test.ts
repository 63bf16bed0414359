import { expect, test } from 'vitest';
import { givingGroups } from './giving-groups.ts';
import { type Group, rootId } from './group.ts';
import { Hierarchy } from './hierarchy.ts';

function group(name: string, parent: string, classes: Group['classes']): Group {
  return {
    id: name === 'root' ? rootId : name,
    name,
    parent,
    environment: 'production',
    environmentTrumps: false,
    rule: ['~', 'name', '.*'],
    classes,
    variables: {},
    configData: {},
    serialNumber: 1,
    lastEdited: new Date(0),
  };
}

test('the nearest group of each branch counts', () => {
  const hierarchy = new Hierarchy([
    group('root', rootId, { ntp: { servers: ['a'] } }),
    group('upper', rootId, { ntp: { servers: ['b'] } }),
    group('lower', 'upper', { ntp: { panic: 1 } }),
    group('other', rootId, {}),
  ]);
  const node = { name: 'a.test', fact: {}, trusted: {} };

  const names = (parameter: string) =>
    givingGroups(hierarchy, node, ({ classes }) => parameter in (classes['ntp'] ?? {})).map(
      ({ name }) => name,
    );

  expect(names('servers').toSorted()).toEqual(['root', 'upper']);
  expect(names('panic')).toEqual(['lower']);
  expect(names('none')).toEqual([]);
});
