import { expect, test } from 'vitest';
import { eventsSearch } from './search.ts';

test('default values are left out of the address, and so is an invalid time', () => {
  expect(eventsSearch({ by: 'class', status: 'failed', from: '24h', to: 'yesterday' })).toEqual({});
  expect(eventsSearch({ by: 'node', status: 'any', from: '2026-11-24T22:00', subject: 'a' })).toEqual({
    by: 'node',
    status: 'any',
    from: new Date('2026-11-24T22:00').toISOString(),
    subject: 'a',
  });
});
