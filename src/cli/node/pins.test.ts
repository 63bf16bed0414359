import { expect, test } from 'vitest';
import { UsageError } from '../command.ts';
import { findGroup } from '../groups/connection.ts';
import { runCommand } from '../run-command.testing.ts';
import { nodePinCommand } from './pins.ts';

const groups = [
  { id: '1', name: 'Web' },
  { id: '2', name: 'Web' },
  { id: '3', name: 'PE Master' },
];

test('a group is found by its name or its id', () => {
  expect(findGroup(groups, 'PE Master').id).toBe('3');
  expect(findGroup(groups, '2').name).toBe('Web');
});

test('a name of no group, or of several, is refused', () => {
  expect(() => findGroup(groups, 'web')).toThrow('There is no group web; there are Web, Web, PE Master');
  expect(() => findGroup(groups, 'Web')).toThrow('There are several groups Web: name one by its id');
});

test.each(['', 'Web'])('a group without nodes is a mistake: %j', async (words) => {
  const args = words === '' ? [] : [words];

  await expect(runCommand(nodePinCommand, ...args)).rejects.toThrow(
    new UsageError('name a group and at least one node'),
  );
});
