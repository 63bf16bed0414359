import { expect, test } from 'vitest';
import { csvLines } from '../lib/csv.ts';
import { tableLines } from './text-table.ts';

const rows = [
  { certname: 'a.example', value: { os: 'Debian' }, note: null },
  { certname: 'long.name.example', value: 'two\nlines, and "quotes"', extra: true },
];

test('columns are as wide as what is in them', () => {
  expect(tableLines(rows)).toEqual([
    'certname           value                    note  extra',
    'a.example          {"os":"Debian"}',
    'long.name.example  two lines, and "quotes"        true',
  ]);
});

test('cells are quoted where they have to be', () => {
  expect(csvLines(rows)).toEqual([
    'certname,value,note,extra',
    'a.example,"{""os"":""Debian""}",,',
    'long.name.example,"two\nlines, and ""quotes""",,true',
  ]);
});

test('without rows there are no lines', () => {
  expect([...tableLines([]), ...csvLines([])]).toEqual([]);
});
