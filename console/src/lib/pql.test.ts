import { expect, test } from 'vitest';
import { ofNodesIn, pqlText, quoted, quotedPattern } from './pql.ts';

test('a value can not become a part of the query', () => {
  expect(quoted('a" or certname ~ ".*\\')).toBe('"a\\" or certname ~ \\".*\\\\"');
  expect(quotedPattern('a.b*')).toBe(String.raw`"a\\.b\\*"`);
});

test('the parts stand in the order of PQL', () => {
  const query = {
    entity: 'reports',
    columns: ['hash', 'certname'],
    conditions: ['status = "failed"', 'noop = false'],
    orderBy: ['end_time desc'],
    limit: 10,
    offset: 20,
  };

  expect(pqlText(query)).toBe(
    'reports[hash, certname] { status = "failed" and noop = false order by end_time desc limit 10 offset 20 }',
  );
  expect(pqlText({ entity: 'nodes', columns: [] })).toBe('nodes {}');
});

test('rows of nodes are limited to those whose last run was in an environment', () => {
  const conditions = ofNodesIn('te"st');

  expect(pqlText({ entity: 'resources', columns: ['certname'], conditions })).toBe(
    String.raw`resources[certname] { certname in nodes[certname] { report_environment = "te\"st" } }`,
  );
  expect(ofNodesIn(undefined)).toEqual([]);
});
