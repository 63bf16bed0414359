import { expect, test } from 'vitest';
import { liveSearch } from './search.ts';

test('actions and jobs that can be make part of an address, others do not', () => {
  expect(liveSearch({ action: 'status', job: '12', selected: 'a,b', tab: 'order', kind: 'split' })).toEqual({
    action: 'status',
    job: '12',
    selected: 'a,b',
    tab: 'order',
    kind: 'split',
    q: undefined,
  });
  expect(liveSearch({ action: 'reboot', job: 'x', tab: 'control', kind: 'none' })).toEqual({
    action: undefined,
    job: undefined,
    selected: undefined,
    tab: undefined,
    kind: undefined,
    q: undefined,
  });
});
