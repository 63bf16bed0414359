import { describe, expect, test } from 'vitest';
import {
  countOf,
  furtherOptions,
  type JobNode,
  jobTitle,
  nodesText,
  partsOf,
  reportOf,
  targetText,
  withOutput,
} from './jobs.ts';

test.each([
  ['deploy', '', {}, 'Run Puppet'],
  ['deploy', '', { noop: true }, 'Run Puppet, no-op'],
  ['deploy', 'before the release', { noop: true }, 'before the release'],
  ['task', '', { task: 'package' }, 'package'],
  ['task', '', { task: 'package', noop: true }, 'package, no-op'],
  ['command', '', { command: 'uptime' }, 'uptime'],
  ['script', '', { name: 'cleanup.sh' }, 'cleanup.sh'],
  ['plan_apply', '', {}, 'Catalog of a plan'],
  ['something_new', '', {}, 'something_new'],
])('a job of the type %s, described as %j, with %j, is called %s', (type, description, options, title) => {
  expect(jobTitle({ type, description, options })).toBe(title);
});

test.each([
  [{ scope: { nodes: ['web1'] } }, 'web1'],
  [{ scope: { nodes: ['web1', 'web2'] } }, '1,200 nodes'],
  [{ scope: { query: 'nodes[certname] {}' } }, 'query nodes[certname] {}'],
  [{ scope: { query: ['=', 'certname', 'a'] } }, 'query ["=","certname","a"]'],
  [{ scope: { node_group: 'ab-1' } }, 'node group ab-1'],
  [{ scope: { connection_group: 'db' } }, 'connections of the group db'],
  [{ scope: { whole_environment: true } }, 'all nodes of the environment'],
  [{ order: [['a'], ['b']] }, '1,200 nodes in 2 stages'],
  [{ order: 'infrastructure' }, 'the servers of the installation, in order'],
  [{}, '1,200 nodes'],
])('the targets of %j', (options, text) => {
  expect(targetText({ options, node_count: 1200 })).toBe(text);
});

test('nodes are counted by state', () => {
  const job = { node_states: { failed: 2, finished: 3 } };

  expect([countOf(job, 'failed', 'errored'), countOf(job, 'finished'), countOf(job)]).toEqual([2, 3, 0]);
  expect(countOf({ node_states: null }, 'failed')).toBe(0);
  expect([nodesText(1), nodesText(0)]).toEqual(['1 node', '0 nodes']);
});

test('options that say something are shown', () => {
  const options = {
    scope: { nodes: ['a'] },
    environment: 'production',
    noop: true,
    debug: false,
    description: '',
    enforce_environment: true,
    params: {},
    userdata: { ticket: 4 },
    batch: [1, '10%'],
  };

  expect(furtherOptions({ options })).toEqual([
    ['noop', true],
    ['userdata', { ticket: 4 }],
    ['batch', [1, '10%']],
  ]);
});

const node: JobNode = {
  name: 'web1',
  state: 'finished',
  duration: 1,
  finish_timestamp: null,
  details: {},
};

describe('the result of a node', () => {
  test.each([
    ['task', 'finished', { _output: 'done\n' }, [{ text: 'done', isError: false }]],
    ['task', 'finished', { status: 'up' }, [{ text: '{\n  "status": "up"\n}', isError: false }]],
    ['task', 'finished', {}, []],
    [
      'task',
      'failed',
      { _error: { msg: 'no disk', kind: 'x' }, _output: 'tried' },
      [
        { text: 'no disk', isError: true },
        { text: 'tried', isError: false },
      ],
    ],
    [
      'command',
      'failed',
      { stdout: 'a\n', stderr: 'b\n', exit_code: 3 },
      [
        { text: 'Exit code 3', isError: true },
        { text: 'a', isError: false },
        { text: 'b', isError: true, title: 'Standard error' },
      ],
    ],
    ['command', 'finished', { stdout: 'a', stderr: '', exit_code: 0 }, [{ text: 'a', isError: false }]],
    ['deploy', 'finished', { hash: 'abc', metrics: { changed: 1 } }, []],
    [
      'deploy',
      'errored',
      { msg: 'web1 is not connected', kind: 'x', details: { node: 'web1' } },
      [{ text: 'web1 is not connected', isError: true }],
    ],
  ] as const)('of a %s that %s with %j', (type, state, result, parts) => {
    expect(partsOf(type, { ...node, state, result })).toEqual(parts);
  });

  test('is the detail where a run failed without a message', () => {
    const failed = { ...node, state: 'failed', result: { status: 'failed' } } as const;

    expect(partsOf('deploy', { ...failed, details: { detail: 'Puppet is disabled' } })).toEqual([
      { text: 'Puppet is disabled', isError: true },
    ]);
  });
});

test('a Puppet run has a report once PuppetDB has it', () => {
  expect(reportOf({ ...node, result: { hash: 'abc' } })).toBe('abc');
  expect(reportOf({ ...node, result: { status: 'failed' } })).toBeUndefined();
  expect(reportOf(node)).toBeUndefined();
});

test('output of nodes is put together from events, in their order', () => {
  const wrote = (name: string, message: string) => ({
    type: 'node_output',
    message,
    details: { node: name },
  });
  const first = withOutput({}, [
    wrote('web1', 'a\n'),
    { type: 'node_running', message: 'Started', details: { node: 'web1' } },
    wrote('web2', 'x\n'),
  ]);

  expect(withOutput(first, [wrote('web1', 'b\n')])).toEqual({ web1: 'a\nb\n', web2: 'x\n' });
  expect(first).toEqual({ web1: 'a\n', web2: 'x\n' });
});
