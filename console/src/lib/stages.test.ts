import { expect, test } from 'vitest';
import type { JobNode, NodeState } from './jobs.ts';
import { levelsOf, orderOf, restOf, stagesOf, stateOfLevel } from './stages.ts';

const level = (role: 'compile server' | 'primary', ...names: readonly string[]) => ({
  role,
  total: names.length,
  nodes: names.map((name) => ({ name, connected: true })),
});
const servers = [level('compile server', 'compile1', 'compile2'), level('primary', 'primary')];

test('a split installation has four stages, filled by role', () => {
  expect(stagesOf('split', servers)).toEqual([
    { title: 'Compile servers', nodes: ['compile1', 'compile2'] },
    { title: 'PuppetDB', nodes: [] },
    { title: 'Console', nodes: [] },
    { title: 'Primary', nodes: ['primary'] },
  ]);
  expect(stagesOf('monolithic', servers).map(({ title }) => title)).toEqual(['Compile servers', 'Primary']);
});

test('stages without nodes are no levels of the job', () => {
  expect(orderOf(stagesOf('split', servers))).toEqual([['compile1', 'compile2'], ['primary']]);
});

const node = (name: string, state: NodeState, at: number): JobNode => ({
  name,
  state,
  level: at,
  duration: null,
  finish_timestamp: null,
  details: {},
});

test('a job goes on from the level that failed, with the nodes that have not finished', () => {
  const levels = levelsOf([
    node('primary', 'skipped', 2),
    node('compile1', 'finished', 0),
    node('db1', 'failed', 1),
    node('db2', 'finished', 1),
  ]);

  expect(levels.map(stateOfLevel)).toEqual(['finished', 'failed', 'skipped']);
  expect(restOf(levels)).toEqual([['db1'], ['primary']]);
});

test('a level runs as long as one of its nodes does', () => {
  expect(stateOfLevel([node('a', 'finished', 0), node('b', 'running', 0)])).toBe('running');
  expect(stateOfLevel([])).toBe('new');
});
