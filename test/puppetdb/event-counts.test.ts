/** Events are counted by what many reports say the same: the counts are those of the events themselves. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/platform/storage/index.ts';
import { backends } from '../support/backends.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

const installed = backends.filter(({ isInstalled }) => isInstalled);
const day = 86_400_000;

interface Event {
  readonly certname: string;
  readonly status: string;
  readonly resource_type: string;
  readonly resource_title: string;
  readonly containing_class: string | null;
}

type Subject = 'certname' | 'containing_class' | 'resource';
type Counts = Readonly<Record<'failures' | 'skips' | 'successes' | 'noops', number>>;

const statuses = { failures: 'failure', skips: 'skipped', successes: 'success', noops: 'noop' } as const;

describe.each(installed)('on $name', (backend) => {
  let puppetDb: RunningPuppetDb;
  let stopBackend: () => Promise<void>;

  beforeAll(async () => {
    const { location, stop } = await backend.start();
    stopBackend = stop;
    puppetDb = await startPuppetDb(location, { reportTtlMs: day });
    for (const certname of ['web1.test', 'web2.test', 'db.test']) {
      await store(certname, 1, ['success', 'success']);
      await store(certname, 2, certname === 'db.test' ? ['failure', 'skipped'] : ['noop', 'noop']);
    }
    await store('quiet.test', 1, []);
  });

  afterAll(async () => {
    await puppetDb.stop();
    await stopBackend();
  });

  /** Some titles have the name of their node, in a class with others and alone; one event happens twice. */
  async function store(certname: string, hour: number, [one, other]: readonly string[]): Promise<void> {
    const time = `2026-11-21T0${hour}:00:00.000Z`;
    const [host = ''] = certname.split('.');
    const resource = (type: string, title: string, path: readonly string[], events: readonly unknown[]) => ({
      skipped: false,
      timestamp: time,
      resource_type: type,
      resource_title: title,
      file: null,
      line: null,
      containment_path: path,
      events,
    });
    const event = (status: string | undefined, name: string, isCorrective = false) => ({
      status: status ?? '',
      timestamp: time,
      name,
      property: name,
      new_value: name,
      old_value: null,
      message: null,
      corrective_change: isCorrective,
    });
    const base = ['Stage[main]', 'Base'];
    const resources =
      one === undefined
        ? []
        : [
            resource('File', '/etc/motd', base, [event(one, 'mode', one === 'success'), event(one, 'owner')]),
            resource('File', `/etc/${certname}.pem`, base, [event(one, 'ensure')]),
            resource('Service', 'cron', base, [event(other, 'ensure')]),
            resource('Host', host, ['Stage[main]', 'Names'], [event(other, 'ensure')]),
            resource('Exec', 'nowhere', [], [event(other, 'returns')]),
          ];
    const payload = {
      certname,
      puppet_version: '8.10.0',
      report_format: 12,
      configuration_version: '1',
      start_time: time,
      end_time: time,
      producer_timestamp: time,
      producer: 'server.test',
      environment: certname === 'db.test' ? 'testing' : 'production',
      transaction_uuid: null,
      catalog_uuid: null,
      code_id: null,
      job_id: null,
      cached_catalog_status: null,
      status: 'changed',
      noop: false,
      noop_pending: false,
      corrective_change: null,
      metrics: null,
      logs: null,
      resources,
    };
    const body = Buffer.from(JSON.stringify(payload));
    await puppetDb.puppetDb.submit({ command: 'store_report', version: 8, certname, payload: body });
  }

  const latest = ['=', 'latest_report?', true];
  const conditions: readonly (readonly unknown[] | undefined)[] = [
    undefined,
    latest,
    ['and', latest, ['=', 'environment', 'production']],
    ['and', latest, ['=', 'status', 'noop']],
    ['and', ['=', 'resource_type', 'File'], ['and', latest, ['~', 'certname', 'web']]],
    ['or', ['=', 'environment', 'testing'], ['=', 'resource_type', 'Host']],
    ['not', ['=', 'containing_class', 'Base']],
    ['and', latest, ['~', 'resource_title', 'etc']],
    ['=', 'property', 'mode'],
    ['=', 'corrective_change', true],
    ['null?', 'corrective_change', true],
    [
      'in',
      'resource_title',
      ['extract', 'resource_title', ['select_events', ['=', 'resource_type', 'Host']]],
    ],
  ];

  async function ask(path: string, parameters: Readonly<Record<string, unknown>>): Promise<unknown> {
    const texts = Object.entries(parameters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
    const search = new URLSearchParams(Object.fromEntries(texts));
    const reply = await fetch(`${puppetDb.url}/pdb/query/v4/${path}?${search}`);
    const text = await reply.text();
    expect([reply.status, text]).toEqual([200, text]);
    return JSON.parse(text);
  }

  test.each([
    ['both hours', '2026-11-21T00:00:00Z', '2026-11-22', { failures: 3, skips: 3, successes: 0, noops: 0 }],
    [
      'the first hour',
      '2026-11-21T00:00:00Z',
      '2026-11-21T01:30',
      { failures: 0, skips: 0, successes: 6, noops: 0 },
    ],
    ['no time', '2027', '2028', undefined],
  ])(
    'the last events within %s are counted, those before them are not',
    async (_name, start, end, counts) => {
      const within = { distinct_resources: 'true', distinct_start_time: start, distinct_end_time: end };
      const query = ['=', 'certname', 'db.test'];

      const counted = await ask('event-counts', { summarize_by: 'certname', query, ...within });
      const events = await ask('events', { query, ...within });

      expect(counted).toEqual(
        counts === undefined ? [] : [{ ...counts, subject_type: 'certname', subject: { title: 'db.test' } }],
      );
      expect(events).toHaveLength(Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0));
    },
  );

  /** The events to count, one by one. */
  async function events(query: readonly unknown[] | undefined): Promise<readonly Event[]> {
    return (await ask('events', { query })) as readonly Event[];
  }

  describe.each(['now', 'of an earlier release'])('reports %s', (age) => {
    beforeAll(async () => {
      if (age === 'now') return;
      // Two of the three latest ones.
      await puppetDb.database.write([
        sql`update pdb_reports set event_set = ${null}, own_event_set = ${null}
          where node_id in (select id from pdb_nodes where certname <> ${'web1.test'})`,
      ]);
    });

    test.each(conditions.map((query) => [JSON.stringify(query), query] as const))('%s', async (_, query) => {
      const all = await events(query);

      for (const subject of ['certname', 'containing_class', 'resource'] as const) {
        for (const countBy of ['resource', 'certname'] as const) {
          const expected = counted(all, subject, countBy);
          const parameters = { query, summarize_by: subject, count_by: countBy };
          expect(sorted(await ask('event-counts', parameters))).toEqual(sorted(expected));
          expect(await ask('aggregate-event-counts', parameters)).toEqual([summed(expected, subject)]);
        }
      }
      for (const field of [
        'status',
        'resource_type',
        'resource_title',
        'containing_class',
        'certname',
      ] as const) {
        const extracted = [
          'extract',
          [['function', 'count'], field],
          ...(query === undefined ? [] : [query]),
        ];
        const groups = Map.groupBy(all, (event) => event[field]);
        const expected = [...groups].map(([value, each]) => ({ count: each.length, [field]: value }));
        expect(sorted(await ask('events', { query: [...extracted, ['group_by', field]] }))).toEqual(
          sorted(expected),
        );
      }
      const count = ['extract', [['function', 'count']], ...(query === undefined ? [] : [query])];
      expect(await ask('events', { query: count })).toEqual([{ count: all.length }]);
    });
  });

  test('events and events of reports say whether they corrected drift', async () => {
    const query = ['and', ['=', 'certname', 'db.test'], ['=', 'corrective_change', true]];
    const found = (await ask('events', { query })) as readonly object[];
    const ofEvents = ['extract', ['property', 'corrective_change'], ['=', 'resource_title', '/etc/motd']];
    const [report] = (await ask('reports', {
      query: [
        'extract',
        ['resource_events'],
        ['and', ['=', 'certname', 'db.test'], ['=', 'latest_report?', false]],
      ],
    })) as readonly [{ readonly resource_events: { readonly data: readonly object[] } }];

    expect(found).toEqual([expect.objectContaining({ property: 'mode', resource_title: '/etc/motd' })]);
    expect(await ask('events', { query: ofEvents })).toContainEqual({
      property: 'owner',
      corrective_change: null,
    });
    expect(report.resource_events.data).toContainEqual(
      expect.objectContaining({ property: 'mode', corrective_change: true }),
    );
    expect(report.resource_events.data).toContainEqual(
      expect.objectContaining({ property: 'owner', corrective_change: null }),
    );
  });

  test('what no report says any more is forgotten', async () => {
    const sets = async (): Promise<number> =>
      (await puppetDb.database.read(sql`select distinct event_set from pdb_event_sets`)).length;
    expect(await sets()).toBeGreaterThan(4);

    puppetDb.setTime(new Date('2026-12-21T00:00:00.000Z'));
    await puppetDb.puppetDb.admin.clean({ tasks: ['purge_reports', 'other'] });

    expect(await sets()).toBe(0);
  });
});

function counted(events: readonly Event[], subject: Subject, countBy: 'resource' | 'certname') {
  const subjectOf = (event: Event) =>
    subject === 'resource'
      ? { type: event.resource_type, title: event.resource_title }
      : { title: event[subject] };
  const groups = Map.groupBy(events, (event) => JSON.stringify(subjectOf(event)));
  return [...groups].map(([key, each]) => {
    const count = (status: string): number => {
      const found = each.filter((event) => event.status === status);
      return countBy === 'resource' ? found.length : new Set(found.map(({ certname }) => certname)).size;
    };
    const counts = Object.entries(statuses).map(([name, status]) => [name, count(status)]);
    const numbers = Object.fromEntries(counts) as Counts;
    return { ...numbers, subject_type: subject, subject: JSON.parse(key) as unknown };
  });
}

function summed(rows: readonly Counts[], subject: Subject) {
  const names = Object.keys(statuses) as (keyof Counts)[];
  const sums = names.map((name) => [name, rows.filter((row) => row[name] > 0).length]);
  return { summarize_by: subject, ...Object.fromEntries(sums), total: rows.length };
}

function sorted(rows: unknown): readonly unknown[] {
  return (rows as readonly unknown[]).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
