import { expect, test } from 'vitest';
import { WhyAnswerWire } from '../wire.ts';
import { explainChange } from './explain-change.ts';
import type { WhySource } from './why-source.ts';

const { signal } = new AbortController();
const request = { report: 'r2', type: 'File', title: '/etc/motd' };

const codeId = (commit: string) => `urn:puppet:code-id:1:${commit.repeat(40)};production`;
const firstRun = {
  hash: 'r1',
  certname: 'web01.test',
  environment: 'production',
  start_time: '2026-01-01T01:14:00.000Z',
  end_time: '2026-01-01T01:14:20.000Z',
  code_id: codeId('a'),
  transaction_uuid: 'u1',
  corrective_change: false,
};
const secondRun = {
  ...firstRun,
  hash: 'r2',
  start_time: '2026-01-01T01:44:00.000Z',
  end_time: '2026-01-01T01:44:20.000Z',
  transaction_uuid: 'u2',
};
const event = {
  status: 'success',
  timestamp: '2026-01-01T01:44:10.000Z',
  file: '/etc/puppetlabs/code/environments/production/modules/motd/manifests/init.pp',
  line: 7,
  corrective_change: false,
  report: 'r2',
};

interface Fleet {
  /** Whether the run says that it corrected drift, and what else it changed. */
  readonly isCorrective?: boolean;
  readonly changed?: readonly object[];
  readonly reports?: readonly object[];
  readonly events?: readonly object[];
  readonly earlierEvents?: readonly object[];
}

/** Answers as PuppetDB does to the queries of an explanation. */
function fleet({
  changed = [],
  earlierEvents = [],
  events = [event],
  isCorrective = false,
  reports = [firstRun],
}: Fleet = {}): WhySource {
  return {
    rows: async (query) => {
      const text = JSON.stringify(query);
      const second = { ...secondRun, corrective_change: isCorrective };
      if (query[1] === 'reports') return text.includes('"hash","r2"') ? [second] : [...reports];
      if (text.includes('"status","success"')) return [...changed];
      return text.includes('["=","report","r2"]') ? [...events] : [...earlierEvents];
    },
    changedFiles: async () => [],
    changedLines: async () => '',
  } as WhySource;
}

test('a resource that was right and is corrected has drifted, and the run before says until when it was right', async () => {
  const earlier = { ...event, report: 'r0', timestamp: '2025-12-24T00:00:00.000Z' };
  const source = fleet({ events: [{ ...event, corrective_change: true }], earlierEvents: [earlier] });

  const answer = await explainChange(source, request, signal);

  expect(WhyAnswerWire.parse(answer)).toEqual(answer);
  expect(answer.causes).toEqual([
    {
      kind: 'drift',
      certainty: 'sure',
      right_at: firstRun.end_time,
      wrong_at: event.timestamp,
      last_changed: { report: 'r0', time: earlier.timestamp },
    },
  ]);
});

test('of a run that corrected drift, the only resource that it changed has drifted, others are likely to have', async () => {
  const own = { resource_type: 'File', resource_title: '/etc/motd' };
  const find = async (...changed: readonly object[]) => {
    const { causes } = await explainChange(fleet({ isCorrective: true, changed }), request, signal);
    return causes.map(({ certainty, kind }) => [kind, certainty]);
  };

  expect(await find(own, own)).toEqual([['drift', 'sure']]);
  expect(await find(own, { ...own, resource_title: '/etc/issue' })).toEqual([['drift', 'likely']]);
  const failed = fleet({ isCorrective: true, events: [{ ...event, status: 'failure' }] });
  expect((await explainChange(failed, request, signal)).causes).toEqual([]);
});

test('the declaring file comes first, then its module and the data, then other files', async () => {
  const source: WhySource = {
    ...fleet({ reports: [{ ...firstRun, code_id: codeId('b') }] }),
    changedFiles: async () => [
      { path: 'README.md', kind: 'changed' },
      { path: 'data/common.yaml', kind: 'changed' },
      { path: 'modules/motd/templates/motd.epp', kind: 'added' },
      { path: 'modules/motd/manifests/init.pp', kind: 'changed' },
    ],
    changedLines: async (_environment, before, _after, path) =>
      `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -7 +7 @@\n-${before.slice(21, 22)}\n+new`,
  };

  const answer = await explainChange(source, request, signal);

  expect(WhyAnswerWire.parse(answer)).toEqual(answer);
  const found = answer.causes.map((cause) =>
    cause.kind === 'code' || cause.kind === 'data'
      ? [cause.kind, cause.certainty, cause.is_declaration, cause.files.map(({ path }) => path)]
      : cause.kind,
  );
  expect(found).toEqual([
    ['code', 'likely', true, ['modules/motd/manifests/init.pp']],
    ['code', 'likely', false, ['modules/motd/templates/motd.epp']],
    ['data', 'likely', false, ['data/common.yaml']],
    ['code', 'possible', false, ['README.md']],
  ]);
  expect(answer.causes[0]).toMatchObject({ files: [{ lines: '@@ -7 +7 @@\n-b\n+new' }] });
});

test('changes of groups of the node, groups gained and facts in rules are named', async () => {
  const condition = (role: string) => ({
    value: true,
    form: ['=', { path: ['fact', 'role'], value: role }, 'x'],
  });
  const explanations: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    u1: { all: { value: true, form: ['and', condition('db')] } },
    u2: { all: { value: true, form: ['and', condition('web')] }, web: condition('web') },
  };
  const changed = { time: new Date('2026-01-01T01:30:00Z'), by: 'ada', message: 'Added the class "motd"' };
  const asked: unknown[] = [];
  const source: WhySource = {
    ...fleet(),
    explanation: async (_certname, uuid) => explanations[uuid],
    groupChanges: async (from, to) => {
      asked.push(from.toISOString(), to.toISOString());
      return [
        { ...changed, id: 5, groupId: 'web', group: 'Web' },
        { ...changed, id: 6, groupId: 'other', group: 'Other' },
      ];
    },
  };

  const { causes } = await explainChange(source, request, signal);

  expect(asked).toEqual([firstRun.start_time, secondRun.start_time]);
  expect(causes).toEqual([
    {
      kind: 'classification',
      certainty: 'likely',
      change: {
        id: 5,
        group: 'Web',
        by: 'ada',
        message: changed.message,
        time: '2026-01-01T01:30:00.000Z',
      },
    },
    { kind: 'groups', certainty: 'likely', gained: ['web'], lost: [] },
    { kind: 'fact', certainty: 'likely', fact: 'role', before: 'db', after: 'web' },
  ]);
});

test('a first run needs no other cause, and what is not known to have changed is not made up', async () => {
  const first = await explainChange(fleet({ reports: [] }), request, signal);
  expect(first).toMatchObject({ causes: [{ kind: 'first-run' }], previous: null });

  const unknown = await explainChange(fleet(), request, signal);
  expect(unknown).toMatchObject({ causes: [], is_code_known: true, previous: { report: 'r1' } });
});

test('another environment is a cause, and its code is not compared', async () => {
  const source: WhySource = {
    ...fleet({ reports: [{ ...firstRun, environment: 'testing', code_id: codeId('b') }] }),
    changedFiles: async () => [{ path: 'a', kind: 'changed' }],
  };

  const { causes, is_code_known: isKnown } = await explainChange(source, request, signal);

  expect(causes).toEqual([
    { kind: 'environment', certainty: 'likely', before: 'testing', after: 'production' },
  ]);
  expect(isKnown).toBe(false);
});

test('an event that is not in the report, and a report that is not kept, are not found', async () => {
  await expect(explainChange(fleet({ events: [] }), request, signal)).rejects.toMatchObject({
    reason: 'not-found',
    kind: 'bunraku.console/unknown-event',
  });
  const noReport = { ...fleet(), rows: async () => [] };
  await expect(explainChange(noReport, request, signal)).rejects.toMatchObject({
    kind: 'bunraku.console/unknown-report',
  });
});
