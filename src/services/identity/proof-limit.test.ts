import { expect, test } from 'vitest';
import { ProofLimit } from './proof-limit.ts';

const work = () => Promise.resolve('done');

test('an address may send sixty at once and two a second from then on, and others are not held up', async () => {
  let nowMs = 0;
  const limit = new ProofLimit(() => nowMs);
  for (let count = 0; count < 60; count += 1) expect(await limit.run('192.0.2.1', work)).toBe('done');

  await expect(limit.run('192.0.2.1', work)).rejects.toMatchObject({
    reason: 'unavailable',
    details: { retryAfterSeconds: 1 },
  });
  expect(await limit.run('192.0.2.2', work)).toBe('done');
  nowMs = 1000;
  expect(await limit.run('192.0.2.1', work)).toBe('done');
  expect(await limit.run('192.0.2.1', work)).toBe('done');
  await expect(limit.run('192.0.2.1', work)).rejects.toThrow('too many proofs from 192.0.2.1');
});

test('the address of a balancer has no limit of its own: a fleet stands behind it', async () => {
  const limit = new ProofLimit(
    () => 0,
    (address) => address === '192.0.2.1',
  );

  for (let count = 0; count < 61; count += 1) expect(await limit.run('192.0.2.1', work)).toBe('done');
});

test('twenty are looked at at a time, and one that ends or fails makes room', async () => {
  const limit = new ProofLimit(() => 0);
  const open = Array.from({ length: 20 }, () => Promise.withResolvers<string>());
  const all = open.map(({ promise }, index) => limit.run(`192.0.2.${index}`, () => promise));

  await expect(limit.run('198.51.100.1', work)).rejects.toThrow('20 proofs are being looked at');
  open[0]?.reject(new Error('failed'));
  await expect(all[0]).rejects.toThrow('failed');
  expect(await limit.run('198.51.100.1', work)).toBe('done');
  for (const { resolve } of open) resolve('done');
  await Promise.allSettled(all);
});
