/** A node whose hashes show the order of their keys: of all lengths, beyond ASCII, small and large, nested. */

import type { Json } from '../../src/lib/json.ts';

export interface ProbeCommand {
  readonly command: string;
  readonly version: string;
  readonly certname: string;
  readonly producerTimestamp: string;
  readonly body: string;
}

const certname = 'probe.test';
const time = '2026-11-21T12:00:00.000Z';

const small = { zz: 1, a: 2, bbb: { yy: 1, x: 2, w10: 3 }, é: 4, ab: 5, zzz: 6, B: 7 };
const nested = { n1: 1, n2: 2, n3: 3, n4: 4, n5: 5, n6: 6, n7: 7, n8: 8, n99: 9, a: 10 };
const large = {
  k10: 1,
  k9: 2,
  b: 3,
  zz: 4,
  aa: 5,
  c: { z1: 1, y: 2 },
  é: 7,
  日本: 8,
  dddd: 9,
  e: 10,
  nest: nested,
};

const envelope = { certname, environment: 'probe', producer: 'p', producer_timestamp: time };
const nothing = { transaction_uuid: null, catalog_uuid: null, code_id: null, job_id: null };

export function probeCommands(): readonly ProbeCommand[] {
  return [
    command('replace_facts', '5', {
      ...envelope,
      values: {
        small,
        big: large,
        list: [small, large],
        trusted: { zz: 1, a: 2, extensions: small, certname },
        n: { z: 4096.5, aa: 1 },
      },
    }),
    command('replace_catalog', '9', {
      ...envelope,
      ...nothing,
      version: '1',
      edges: [
        {
          source: { type: 'Class', title: 'main' },
          target: { type: 'Notify', title: 'x' },
          relationship: 'contains',
        },
      ],
      resources: [resource('Class', 'main', { small, big: large }), resource('Notify', 'x', large)],
    }),
    command('store_report', '8', report()),
    command('replace_catalog_inputs', '1', {
      certname,
      producer_timestamp: time,
      catalog_uuid: '5ea3a70b-84c8-426c-813c-dd6492fb829b',
      inputs: [
        ['hiera', 'z'],
        ['b', 'a'],
        ['hiera', 'c'],
        ['a', 'x'],
      ],
    }),
  ];
}

function report(): Json {
  return {
    ...envelope,
    ...nothing,
    puppet_version: '7',
    report_format: 12,
    configuration_version: '1',
    start_time: time,
    end_time: time,
    cached_catalog_status: null,
    status: 'changed',
    noop: false,
    noop_pending: false,
    corrective_change: false,
    type: 'agent',
    metrics: [{ value: 1, name: 'z', category: 'c' }],
    logs: [{ time, tags: ['t'], source: 's', message: 'm', level: 'notice', line: null, file: null }],
    resources: [
      {
        resource_type: 'Notify',
        resource_title: 'x',
        timestamp: time,
        skipped: false,
        file: null,
        line: null,
        containment_path: ['Stage[main]', 'Main'],
        corrective_change: false,
        events: [
          event('p1', small, large),
          event('p2', large, small),
          event('p3', [small, large], { b: { zz: 1, a: 2 }, a: { y: 1, x: 2 } }),
        ],
      },
    ],
  };
}

function command(name: string, version: string, body: Json): ProbeCommand {
  return { command: name, version, certname, producerTimestamp: time, body: JSON.stringify(body) };
}

function resource(type: string, title: string, parameters: Json): Json {
  return { type, title, tags: ['b', 'a'], exported: false, parameters };
}

function event(property: string, newValue: Json, oldValue: Json): Json {
  return {
    status: 'success',
    timestamp: time,
    property,
    name: property,
    new_value: newValue,
    old_value: oldValue,
    message: 'm',
    corrective_change: false,
  };
}
