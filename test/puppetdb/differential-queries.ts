/** Queries for the comparison with a real PuppetDB: made from fields and operators. */

import type { Json } from '../../src/lib/json.ts';
import { certname, query, writtenQueries } from './written-queries.ts';

/** Entity -> fields with values that occur, some of them. */
const fields: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  nodes: {
    certname: 'exp1.bench.test',
    report_environment: 'exports',
    latest_report_status: 'failed',
    latest_report_noop: true,
    report_timestamp: '2026-11-21T10:50:00Z',
    cached_catalog_status: 'not_used',
    deactivated: '2026-11-21T10:50:00Z',
  },
  facts: { name: 'kernel', value: 'Linux', environment: 'exports', certname: 'exp1.bench.test' },
  'fact-contents': { name: 'os', value: 2, path: ['os', 'family'], environment: 'exports' },
  'fact-paths': { name: 'os', type: 'string', path: ['os', 'family'], depth: 2 },
  factsets: {
    producer: 'puppet.bench.test',
    producer_timestamp: '2026-11-21T10:50:00Z',
    environment: 'trace',
  },
  inventory: {
    certname: 'exp1.bench.test',
    'facts.kernel': 'Linux',
    'facts.processors.count': 2,
    environment: 'x',
  },
  catalogs: {
    version: '1795258035',
    environment: 'exports',
    producer: 'puppet.bench.test',
    certname: 'agent1.bench.test',
  },
  resources: {
    type: 'Host',
    title: 'main',
    tag: 'fleet',
    exported: true,
    line: 2,
    file: '/opt/recorder/code/environments/exports/manifests/site.pp',
    environment: 'exports',
    'parameters.ensure': 'file',
  },
  edges: { source_type: 'Class', target_title: 'main', relationship: 'contains' },
  reports: {
    status: 'changed',
    noop: true,
    report_format: 12,
    start_time: '2026-11-21T10:50:00Z',
    producer: 'puppet.bench.test',
    'latest_report?': true,
    puppet_version: '7.23.0',
    job_id: 'x',
  },
  events: {
    status: 'success',
    resource_type: 'Notify',
    property: 'ensure',
    line: 10,
    containing_class: 'Main',
    'latest_report?': true,
    timestamp: '2026-11-21T10:50:00Z',
    containment_path: 'Stage[main]',
    new_value: 'present',
    message: 'x',
  },
  environments: { name: 'exports' },
  producers: { name: 'puppet.bench.test' },
  packages: { package_name: 'x' },
};

const operators = ['=', '~', '>', '<', '>=', '<=', '~>', 'in', 'null?'] as const;

/** Paths with their parameters, encoded. */
export function differentialQueries(): readonly string[] {
  return [...generated(), ...writtenQueries()];
}

function generated(): readonly string[] {
  return Object.entries(fields).flatMap(([entity, values]) =>
    Object.entries(values).flatMap(([field, value]) =>
      operators.flatMap((operator) => {
        const clause = clauseOf(operator, field, value);
        const narrow = /fact-contents|^facts$|edges|resources|reports|inventory|factsets|catalogs/.test(
          entity,
        );
        const narrowed: Json = narrow ? ['and', certname, clause] : clause;
        return [
          query(entity, narrowed),
          query(entity, narrow ? ['and', certname, ['not', clause]] : ['not', clause]),
        ];
      }),
    ),
  );
}

function clauseOf(operator: string, field: string, value: Json): Json {
  if (operator === 'in') return ['in', field, ['array', [value]]];
  if (operator === 'null?') return ['null?', field, true];
  if (operator === '~>') return ['~>', field, Array.isArray(value) ? value : ['x']];
  return [operator, field, value];
}
