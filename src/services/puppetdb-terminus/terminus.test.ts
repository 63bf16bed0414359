/** Compared with what the real terminus sends: `test/puppetdb/record-terminus.rb`. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalogEnvelope, deactivateCommand, factsCommand, reportCommand } from './index.ts';

interface RecordedCommand {
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly payload: Readonly<Record<string, unknown>> & { readonly producer_timestamp: string };
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8')) as T;
}

describe('facts', () => {
  interface Case {
    readonly certname: string;
    readonly values: string;
    readonly command: string;
  }
  const cases = read<readonly Case[]>('facts');

  test.each(cases)(
    'are sent as the real terminus sends them: %#',
    ({ certname, command, values: exactValues }) => {
      const { payload, ...recorded } = JSON.parse(command) as RecordedCommand;
      const trusted = {
        authenticated: 'remote',
        certname,
        extensions: { pp_role: 'web' },
        external: {},
      } as const;

      const { producerTimestamp, ...ours } = factsCommand(
        {
          certname,
          values: JSON.parse(exactValues),
          exactValues,
          environment: 'production',
          trusted,
        },
        { producer: 'puppet.example.com', now: new Date(payload.producer_timestamp) },
      );

      expect({ ...ours, payload: JSON.parse(ours.payload) }).toEqual({
        ...recorded,
        payload: { ...payload, producer_timestamp: producerTimestamp },
      });
      expect(numbers(ours.payload)).toEqual(numbers(command.slice(command.indexOf('"payload":'))));
    },
  );

  test('are the same bytes in parts where their values are there as UTF-8', () => {
    const trusted = {
      authenticated: 'remote',
      certname: 'ä',
      extensions: { pp_role: 'ü' },
      external: {},
    } as const;
    const sender = { producer: 'p', now: new Date(0) };
    const texts = fc.constantFrom('{"ä":[1.0,"\u{1f600}"]}', '{}', '{ }', ' {"a":1 }\r\n', '{"a":"}"}\t');

    fc.assert(
      fc.property(texts, fc.boolean(), fc.option(fc.jsonValue()), (values, isProven, inventory) => {
        const packages = inventory === null ? undefined : JSON.stringify(inventory);
        const stored = { values, packages, hadBytes: false, utf8: Buffer.from(values) };
        const proven = isProven ? { trusted } : {};
        const facts = { certname: 'ä', values: {}, environment: 'ö', stored, ...proven };

        const { payload, utf8 } = factsCommand(facts, sender);

        expect(Buffer.concat(utf8 ?? []).toString('utf8')).toBe(payload);
        expect(JSON.parse(payload)).toMatchObject({ values: JSON.parse(values) });
      }),
    );
  });

  test('are never what the node itself claims that its certificate proves', () => {
    const values = { trusted: { certname: 'b' } };
    const trusted = { authenticated: 'remote', certname: 'a', extensions: {}, external: {} } as const;

    const { payload } = factsCommand(
      { certname: 'a', values, environment: 'production', trusted },
      { producer: 'p', now: new Date(0) },
    );

    expect(JSON.parse(payload).values.trusted).toMatchObject({ certname: 'a', hostname: 'a', domain: null });
  });
});

describe('reports', () => {
  interface Case {
    readonly name: string;
    readonly unchanged: boolean;
    readonly sent: string;
    readonly command: RecordedCommand;
  }

  test.each(read<readonly Case[]>('reports'))(
    'are sent as the real terminus sends them: $name',
    (recorded) => {
      const { payload, ...command } = recorded.command;

      const { producerTimestamp, ...ours } = reportCommand(
        { certname: command.certname, sent: JSON.parse(recorded.sent) },
        {
          producer: 'puppet.example.com',
          now: new Date(payload.producer_timestamp),
          hasUnchangedResources: recorded.unchanged,
        },
      );

      expect({ ...ours, payload: inUtc(JSON.parse(ours.payload)) }).toEqual({
        ...command,
        payload: inUtc({ ...payload, producer_timestamp: producerTimestamp }),
      });
    },
  );

  test('without an environment are refused in the words of the terminus', () => {
    expect(() =>
      reportCommand(
        { certname: 'a', sent: { time: '2026-01-01T00:00:00Z' } },
        { producer: 'p', now: new Date(0) },
      ),
    ).toThrow(/^Environment is nil, unable to submit report\./);
  });
});

test('a catalog has around its content what differs each time', () => {
  const command = catalogEnvelope(
    {
      certname: 'a.example',
      environment: 'production',
      version: 1795287760,
      codeId: null,
      catalogUuid: 'c-1',
      transactionUuid: 't-1',
      jobId: null,
    },
    { producer: 'p', now: new Date('2026-11-21T10:00:00.123Z') },
  );

  expect(command).toMatchObject({ command: 'replace_catalog', version: 9, certname: 'a.example' });
  expect(JSON.parse(command.payload)).toEqual({
    certname: 'a.example',
    version: '1795287760',
    environment: 'production',
    transaction_uuid: 't-1',
    catalog_uuid: 'c-1',
    code_id: null,
    job_id: null,
    producer_timestamp: '2026-11-21T10:00:00.123Z',
    producer: 'p',
  });
});

test('a deactivation carries the time', () => {
  expect(deactivateCommand('a', new Date(0))).toMatchObject({
    version: 3,
    payload: '{"certname":"a","producer_timestamp":"1970-01-01T00:00:00.000Z"}',
  });
});

/** Times are sent in the zone in which they came. */
function inUtc(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inUtc);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inUtc(item)]));
  }
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value);
  return isTime ? new Date(value).toISOString() : value;
}

/** Integers and floats are two things to Puppet. */
function numbers(json: string): readonly string[] {
  return [...json.matchAll(/":\s*(-?\d[\d.eE+-]*)/g)].map(
    ([, number = '']) => `${/[.eE]/.test(number) ? 'Float' : 'Integer'} ${Number(number)}`,
  );
}
