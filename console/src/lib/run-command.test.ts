import { expect, test } from 'vitest';
import {
  commandLine,
  deployBody,
  deployCommand,
  orderedCommand,
  planCommand,
  shellWord,
  taskCommand,
} from './run-command.ts';

test.each([
  ['web01.example.com', 'web01.example.com'],
  ['a b', "'a b'"],
  ["it's", String.raw`'it'\''s'`],
  ['', "''"],
  ['$(reboot)', "'$(reboot)'"],
])('the word %j is %s in a shell', (text, word) => {
  expect(shellWord(text)).toBe(word);
});

const task = { name: 'package', values: {}, environment: 'production', isNoop: false, scope: undefined };

test('a task with parameters on nodes', () => {
  const values = { action: 'status', name: '3', count: 3, list: ['a', 'b'] };

  expect(taskCommand({ ...task, values, scope: { nodes: ['a', 'b'] } })).toBe(
    `bunraku task run package action=status 'name="3"' count=3 'list=["a","b"]' --nodes a,b`,
  );
});

test('a task in another environment, without changes, on a query, at times', () => {
  const schedule = { schedule_options: { cron: '0 2 * * SUN', time_zone: 'Europe/Berlin' } };
  const scope = { query: 'nodes[certname] { certname ~ "^web" }' };

  expect(taskCommand({ ...task, environment: 'test', isNoop: true, scope, schedule })).toBe(
    `bunraku task run package --query 'nodes[certname] { certname ~ "^web" }' --environment test --noop --cron '0 2 * * SUN' --time-zone Europe/Berlin`,
  );
});

test('a plan, a Puppet run, and Puppet runs in order', () => {
  const interval = { units: 'seconds', value: 3600 } as const;
  const schedule = { scheduled_time: '2026-12-01T04:00:00Z', schedule_options: { interval } };

  expect(
    planCommand({ name: 'facts', values: { targets: ['a'] }, environment: 'production', schedule }),
  ).toBe(`bunraku plan run facts 'targets=["a"]' --at 2026-12-01T04:00:00Z --every 3600s`);
  expect(deployCommand({ scope: { node_group: 'ab-1' }, isNoop: true })).toBe(
    'bunraku job run --node-group ab-1 --noop',
  );
  expect(orderedCommand([['a', 'b'], ['c']])).toBe('bunraku job run --order a,b --order c');
  expect(commandLine(['schedule delete', '3'])).toBe('bunraku schedule delete 3');
});

test('a Puppet run with tags and debug messages, as a command and as a request', () => {
  const run = {
    scope: { nodes: ['web1'] },
    isNoop: false,
    isDebug: true,
    environment: 'testing',
    tags: 'ntp,dns',
  };

  expect(deployCommand(run)).toBe(
    'bunraku job run --nodes web1 --environment testing --debug --tags ntp,dns',
  );
  expect(deployBody(run)).toEqual({
    environment: 'testing',
    enforce_environment: true,
    scope: { nodes: ['web1'] },
    debug: true,
    tags: 'ntp,dns',
  });
});
