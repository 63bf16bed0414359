import { expect, test } from 'vitest';
import { repeatBody, repeatOf } from './job-repeat.ts';

test.each([
  ['deploy', {}, '/command/deploy', 'puppet_agent:run:*'],
  ['command', { command: 'uptime' }, '/command/run_command', 'commands:run:*'],
  ['task', { task: 'package', sensitive: [] }, '/command/task', 'tasks:run:package'],
])('a job of the type %s with %j is run again by %s', (type, options, path, permission) => {
  const repeat = repeatOf({ type, options });

  if (!('needs' in repeat)) throw new Error(repeat.reason);
  const { action, instance, objectType } = repeat.needs;
  expect([repeat.path, `${objectType}:${action}:${instance}`]).toEqual([path, permission]);
});

test.each([
  ['script', { name: 'x.sh' }, 'The text of the script is not kept.'],
  ['task', { task: 'user', sensitive: ['password'] }, 'Sensitive parameters are not kept: password.'],
  ['plan_task', { task: 'user', plan_job: '3' }, 'It was part of a plan: run the plan again.'],
])('a job of the type %s with %j is not: %s', (type, options, reason) => {
  expect(repeatOf({ type, options })).toEqual({ reason });
});

test('the request names the nodes instead of the query or group, without the fields that the API adds', () => {
  const options = {
    task: 'package',
    params: { name: 'openssl' },
    scope: { query: 'nodes {}' },
    environment: 'production',
    noop: false,
    sensitive: [],
    transport: 'pxp',
  };

  expect(repeatBody({ options }, [{ name: 'web1' }, { name: 'web2' }])).toEqual({
    task: 'package',
    params: { name: 'openssl' },
    environment: 'production',
    noop: false,
    scope: { nodes: ['web1', 'web2'] },
  });
});

test('levels stay in their order; those of which no node is left fall away', () => {
  const nodes = [
    { name: 'web2', level: 2 },
    { name: 'db1', level: 0 },
    { name: 'web1', level: 2 },
  ];

  expect(
    repeatBody({ options: { order: 'infrastructure', noop: true, debug: false, trace: true } }, nodes),
  ).toEqual({
    noop: true,
    trace: true,
    order: [['db1'], ['web2', 'web1']],
  });
});
