import { expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { environmentUse } from './environment-use.ts';

const { signal } = new AbortController();
const answering = (rows: readonly object[]) =>
  environmentUse({ query: () => Promise.resolve(JSON.stringify(rows)) }, silentLogger);

test('names some of the nodes that use an environment, and how many there are', async () => {
  const one = await answering([{ certname: 'a' }]).findUsers('production', signal);
  const many = await answering(['a', 'b', 'c', 'd'].map((certname) => ({ certname }))).findUsers('x', signal);

  expect(one).toBe('1 node (a)');
  expect(many).toBe('4 nodes (a, b, c, ...)');
});

test('knows no use of an environment that no node has, or without a PuppetDB', async () => {
  expect(await answering([]).findUsers('production', signal)).toBeUndefined();
  expect(await environmentUse(undefined, silentLogger).findUsers('production', signal)).toBeUndefined();
});

test('takes an environment for used when PuppetDB does not answer', async () => {
  const failing = environmentUse({ query: () => Promise.reject(new Error('down')) }, silentLogger);

  expect(await failing.findUsers('production', signal)).toContain('could not be asked');
});
