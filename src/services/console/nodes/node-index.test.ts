import { expect, onTestFinished, test } from 'vitest';
import type { NodeEntry } from './node-entry.ts';
import { NodeIndex } from './node-index.ts';
import type { NodeSource } from './node-source.ts';

test('nodes that have ended go after five minutes, also when the clock was set back meanwhile', async () => {
  const time = { nowMs: Date.UTC(2026, 0, 1), steadyMs: 0 };
  let names = ['a.test', 'b.test'];
  const source: NodeSource = {
    names: async () => names,
    read: async (wanted) => wanted.map((certname) => ({ certname }) as NodeEntry),
    find: () => Promise.reject(new Error('not asked')),
    facts: () => Promise.reject(new Error('not asked')),
    runs: () => Promise.reject(new Error('not asked')),
    onStored: () => () => {},
  };
  const index = new NodeIndex(source, { nowMs: () => time.nowMs, steadyMs: () => time.steadyMs });
  onTestFinished(() => index.close());
  const known = async () => (await index.snapshot()).entries.map(({ certname }) => certname);
  expect(await known()).toEqual(['a.test', 'b.test']);

  names = ['b.test'];
  time.nowMs -= 3_600_000;
  time.steadyMs += 5 * 60_000 + 1;

  await expect.poll(known, { timeout: 5000 }).toEqual(['b.test']);
});
