import { expect, test } from 'vitest';
import type { Change } from '../../platform/changes/index.ts';
import { Refusals } from './refusals.ts';

const refusal = {
  certname: 'i-1.test',
  provider: 'aws',
  address: '192.0.2.1',
  reason: 'The proof of identity does not count: it is old',
  isHeld: false,
};

test('alerts show the last refusal of an hour, and claims that are held for a day', () => {
  let now = new Date('2026-01-01T00:00:00Z');
  const refusals = new Refusals(
    () => now,
    async () => {},
  );
  refusals.note(refusal);
  refusals.note({ ...refusal, certname: 'i-2.test' });
  refusals.note({ ...refusal, certname: 'i-3.test', reason: 'The claim is held: it is taken', isHeld: true });

  expect(refusals.alerts()).toEqual([
    { severity: 'error', message: 'The claim is held: it is taken (asked for i-3.test from 192.0.2.1)' },
    {
      severity: 'warning',
      message:
        '2 proofs of identity were refused within the last hour, the last of i-2.test from 192.0.2.1: ' +
        'The proof of identity does not count: it is old',
    },
  ]);
  now = new Date('2026-01-01T02:00:00Z');
  expect(refusals.alerts()).toMatchObject([{ severity: 'error' }]);
  now = new Date('2026-01-02T00:00:01Z');
  expect(refusals.alerts()).toEqual([]);
});

test('refusals are recorded, but strangers cannot fill the record', () => {
  const recorded: Change[] = [];
  let now = new Date('2026-01-01T00:00:00Z');
  const refusals = new Refusals(
    () => now,
    async (change) => void recorded.push(change),
  );
  for (let count = 0; count < 1000; count += 1) refusals.note(refusal);
  expect(recorded).toHaveLength(60);

  now = new Date('2026-01-01T01:00:00Z');
  refusals.note(refusal);

  expect(recorded).toHaveLength(61);
  expect(recorded[0]).toMatchObject({
    author: { kind: 'anonymous', address: '192.0.2.1' },
    object: { service: 'infrastructure', type: 'identities', id: 'i-1.test' },
    events: [{ action: 'refuse', what: 'identity' }],
  });
});
