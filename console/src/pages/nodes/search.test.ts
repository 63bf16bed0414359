import { expect, test } from 'vitest';
import { factColumns, nodesSearch, viewSearch, viewText } from './search.ts';

test('what an address may say is kept, the rest is dropped', () => {
  expect(nodesSearch({ q: 'web', sort: '-report_time', facts: 'os.name', other: 'x' })).toEqual({
    q: 'web',
    sort: '-report_time',
    facts: 'os.name',
  });
  expect(nodesSearch({ q: '', sort: 'password' })).toEqual({
    q: undefined,
    sort: undefined,
    facts: undefined,
  });
});

test('the usual order is not part of an address', () => {
  expect(nodesSearch({ sort: 'certname' }).sort).toBeUndefined();
});

test('columns of facts are paths', () => {
  expect(factColumns({ facts: 'os.name,"x",kernel' })).toEqual(['os.name', 'kernel']);
});

test('a view keeps filter, order and columns', () => {
  const search = { q: 'status:failed a b', sort: '-report_time', facts: 'os.name' } as const;

  expect(viewSearch(viewText(search))).toEqual(search);
  expect(viewText({})).toBe('');
});
