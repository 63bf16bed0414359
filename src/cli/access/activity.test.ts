import { expect, test } from 'vitest';
import { readCommandLine } from '../own-options.ts';
import { runCommand } from '../run-command.testing.ts';
import { activityCommand, activityQuery } from './activity.ts';

const names = ['--service', '--object', '--user', '--address', '--since', '--limit'];
const queryOf = (...args: readonly string[]) =>
  activityQuery(readCommandLine(args, { withValue: names, flags: [] }), Date.parse('2026-01-08T00:00:00Z'));

test('without options it asks for the last fifty changes of all services', () => {
  expect(queryOf().toString()).toBe('limit=50');
});

test('each option limits what is asked for', () => {
  const asked = queryOf(
    '--service=rbac',
    '--object=users:u:1',
    '--user=u2',
    '--address=192.0.2.1',
    '--since=7d',
    '--limit=5',
  );

  expect(asked.get('service_id')).toBe('rbac');
  expect(asked.get('limit')).toBe('5');
  expect(JSON.parse(asked.get('query') ?? '')).toEqual([
    { object_type: 'users', object_id: 'u:1' },
    { subject_type: 'users', subject_id: 'u2' },
    { ip_address: '192.0.2.1' },
    { start: '2026-01-01T00:00:00.000Z' },
  ]);
});

test.each([
  [['--limit', '0'], "--limit is a number above 0, not '0'"],
  [['--since', 'yesterday'], "--since is a duration like 30m, 12h or 7d, not 'yesterday'"],
  [['--format', 'xml'], "--format is table, json or csv, not 'xml'"],
  [['words'], "Unexpected argument 'words'"],
])('%j is a mistake', async (args, message) => {
  await expect(runCommand(activityCommand, ...args)).rejects.toThrow(message);
});
