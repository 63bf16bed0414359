import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends, type RunningBackend } from '../../../test/support/backends.ts';
import { type Change, changeMigrations, serverItself } from '../../platform/changes/index.ts';
import {
  type Database,
  encodeTimestamp,
  migrate,
  openDirectDatabase,
  sql,
} from '../../platform/storage/index.ts';
import type { JobOrder } from './job-store.ts';
import { type Action, newAction } from './jobs/action.ts';
import { enter, type Job, stateOf } from './jobs/job.ts';
import { ScheduledJobStore } from './scheduling/store.ts';
import { orchestratorMigrations } from './schema.ts';
import { JobStore } from './store.ts';

const at = Date.UTC(2026, 10, 21, 9, 0, 0);
/** Recognisable, and no secret of anybody. */
const sealed = { count: 0 };
const seal = {
  close: (text: string) => `closed ${(sealed.count += 1)} ${text}`,
  open: (text: string) => text.replace(/^closed \d+ /, ''),
};

const change: Change = {
  object: { service: 'orchestrator', type: 'jobs', id: '', name: 'task package' },
  events: [{ action: 'start', what: 'job', message: 'Started' }],
  author: serverItself,
  time: new Date(at),
};

function order(token: string, more: Partial<JobOrder> & { key?: string; login?: string } = {}): JobOrder {
  return {
    definition: {
      type: 'task',
      options: { task: 'package' },
      environment: 'production',
      owner: { id: more.login ?? 'anna', login: more.login ?? 'anna' },
      description: 'an order',
      ...(more.key === undefined ? {} : { idempotencyKey: more.key }),
    },
    levels: [['a.example.vm', 'b.example.vm']],
    request: { module: 'task', action: 'run', params: { input: { password: 'hidden' } } },
    createdAt: at,
    token,
    change: { ...change, object: { ...change.object, id: token } },
    ...more,
  };
}

describe.each(backends.filter(({ isInstalled }) => isInstalled))('jobs in $name', ({ start }) => {
  let backend: RunningBackend;
  let directory: string;
  let database: Database;
  let store: JobStore;

  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend.stop());
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'bunraku-jobs-'));
    const path = join(directory, 'database.sqlite');
    const location = (await backend.createDatabase()) ?? { kind: 'sqlite', path };
    database = await openDirectDatabase(location, 'writer');
    await migrate(database, [...changeMigrations, ...orchestratorMigrations]);
    store = new JobStore(database, seal);
  });
  afterEach(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });

  const recorded = async () => {
    const text = 'select object_type, object_id, object_name from changes order by id';
    return await database.read({ parts: [text], values: [] });
  };
  const openJob = async (id: number) => {
    const found = (await store.openJobs()).find(({ job }) => job.id === id);
    if (found === undefined) throw new Error(`job ${id} is not open`);
    return found;
  };

  test('a job comes back with its nodes and its request', async () => {
    const { id, isNew } = await store.add(order('one'));
    const open = await openJob(id);

    expect(isNew).toBe(true);
    expect(open.actions).toEqual([newAction('a.example.vm', 0), newAction('b.example.vm', 0)]);
    expect(open.counts).toMatchObject({ new: 2, running: 0 });
    expect(open.request).toEqual(order('one').request);
    expect(stateOf(open.job)).toBe('new');
    expect(open.job.definition).toEqual(order('one').definition);
  });

  test('nodes keep the order of their levels', async () => {
    const { id } = await store.add(
      order('one', { levels: [['z.example.vm'], ['a.example.vm', 'b.example.vm']] }),
    );

    const levels = new Map((await openJob(id)).actions.map(({ certname, level }) => [certname, level]));

    expect(levels).toEqual(
      new Map([
        ['z.example.vm', 0],
        ['a.example.vm', 1],
        ['b.example.vm', 1],
      ]),
    );
    expect((await store.nodes.all(id)).map(({ certname }) => certname)).toEqual([
      'z.example.vm',
      'a.example.vm',
      'b.example.vm',
    ]);
  });

  test('what is saved of nodes comes back; nodes that have ended are not open', async () => {
    const hold = await store.takeHold();
    const { id } = await store.add(order('one'));
    const { job } = await openJob(id);
    const pending = { state: 'finished', result: { status: 'changed' }, reportOf: 'run' } as const;
    const running: Action = {
      ...newAction('a.example.vm', 0),
      state: 'running',
      transactionId: 'T',
      deliveries: 2,
      isAcknowledged: true,
      startedAt: at + 1000,
      pending,
      watch: { heardAt: 5 },
    };
    const outcome = { state: 'errored', detail: 'not connected' } as const;
    const ended: Action = {
      ...newAction('b.example.vm', 0),
      state: 'errored',
      finishedAt: at + 2000,
      outcome,
    };
    const events = [
      { type: 'node_running', at, certname: 'a.example.vm', message: 'Started' },
      { type: 'job_aborted', at, message: 'Stopped' },
    ] as const;

    await store.save(hold, [
      { job: enter(job, 'running', at), actions: [running, ended], events, recorded: [] },
    ]);

    const open = await openJob(id);
    expect(open.actions).toEqual([{ ...running, watch: {} }]);
    expect(open.counts).toMatchObject({ new: 0, running: 1, errored: 1 });
    expect(await store.nodes.all(id)).toEqual([
      {
        certname: 'a.example.vm',
        level: 0,
        state: 'running',
        startedAt: new Date(at + 1000),
        finishedAt: undefined,
        outcome: undefined,
        outcomeLength: 0,
      },
      {
        certname: 'b.example.vm',
        level: 0,
        state: 'errored',
        startedAt: undefined,
        finishedAt: new Date(at + 2000),
        outcome,
        outcomeLength: JSON.stringify(outcome).length,
      },
    ]);
    const told = await store.nodes.events(id, 0);
    expect(told).toMatchObject([...events]);
    expect(await store.nodes.events(id, (told[0]?.id ?? 0) + 1)).toHaveLength(1);
  });

  test('knows how much of the output of a node is stored', async () => {
    const { id } = await store.add(order('one'));
    const { job } = await openJob(id);
    const wrote = (certname: string, stream: 'stdout' | 'stderr', offset: number, message: string) =>
      ({ type: 'node_output', at, certname, message, output: { stream, offset } }) as const;
    const events = [
      wrote('a.example.vm', 'stdout', 0, 'grün\n'),
      wrote('a.example.vm', 'stdout', 6, 'blau\n'),
      wrote('a.example.vm', 'stderr', 0, '!'),
      wrote('b.example.vm', 'stdout', 0, 'other'),
    ];

    await store.save(await store.takeHold(), [{ job, actions: [], events, recorded: [] }]);

    expect(await store.outputOffsets(id, 'a.example.vm')).toEqual({ stdout: 11, stderr: 1 });
    expect(await store.outputOffsets(id, 'c.example.vm')).toEqual({ stdout: 0, stderr: 0 });
    expect(await store.nodes.events(id, 0)).toMatchObject(events);
  });

  test('an earlier holder cannot write any more', async () => {
    const before = await store.takeHold();
    const { id } = await store.add(order('one'));
    const { job } = await openJob(id);
    const now = await store.takeHold();
    const running = {
      job: enter(job, 'running', at),
      actions: [{ ...newAction('a.example.vm', 0), state: 'running', transactionId: 'T' }],
      events: [{ type: 'node_running', at, certname: 'a.example.vm', message: 'Started' }],
      recorded: [change],
    } as const;

    await expect(store.save(before, [running])).rejects.toMatchObject({ reason: 'conflict' });

    expect(now).toBeGreaterThan(before);
    expect((await openJob(id)).counts).toMatchObject({ new: 2 });
    expect(await store.nodes.events(id, 0)).toEqual([]);
    expect(await recorded()).toHaveLength(1);
    await store.save(now, [running]);
    expect((await openJob(id)).counts).toMatchObject({ new: 1, running: 1 });
  });

  test('an order that is sent twice under one key is one job', async () => {
    const first = await store.add(order('one', { key: 'k' }));
    const again = await store.add(order('two', { key: 'k' }));
    const other = await store.add(order('three', { key: 'k', login: 'ben' }));
    const keyless = [await store.add(order('four')), await store.add(order('five'))];

    expect(again).toEqual({ id: first.id, isNew: false });
    // Each job once, under its number.
    expect((await recorded()).map((row) => row['object_id'])).toEqual(
      [first, other, ...keyless].map(({ id }) => String(id)),
    );
    expect(await store.nodes.all(first.id)).toHaveLength(2);
    expect(new Set([first.id, other.id, ...keyless.map(({ id }) => id)]).size).toBe(4);
    expect(keyless.every(({ isNew }) => isNew)).toBe(true);
  });

  test('the request is stored closed, and goes when the job is over', async () => {
    const hold = await store.takeHold();
    const { id } = await store.add(order('one'));
    const { job } = await openJob(id);
    const stored = async () => {
      const text = 'select request from orchestrator_jobs';
      return (await database.read({ parts: [text], values: [] })).map(({ request }) => request);
    };

    const [closed] = await stored();
    expect(closed).toMatch(/^closed \d+ \{/);
    expect(seal.open(String(closed))).toBe(JSON.stringify(order('one').request));
    await store.save(hold, [{ job: enter(job, 'finished', at), actions: [], events: [], recorded: [] }]);

    expect(await stored()).toEqual([null]);
    expect(await store.openJobs()).toEqual([]);
    expect((await store.find(id))?.job.statuses.map(({ state }) => state)).toEqual(['new', 'finished']);
  });

  test('lists are ordered, cut and filtered', async () => {
    const ids: number[] = [];
    for (const login of ['carl', 'anna', 'ben']) ids.push((await store.add(order(login, { login }))).id);
    const page = {
      limit: undefined,
      offset: 0,
      orderBy: 'name',
      isDescending: true,
      type: undefined,
      task: undefined,
      state: undefined,
      finishedFrom: undefined,
      finishedUntil: undefined,
    } as const;
    const idsOf = async (more: Partial<Parameters<JobStore['list']>[0]>) => {
      const { jobs, total } = await store.list({ ...page, ...more });
      return { ids: jobs.map(({ job }) => job.id), total };
    };

    expect(await idsOf({})).toEqual({ ids: ids.toReversed(), total: 3 });
    expect(await idsOf({ limit: 1, offset: 1 })).toEqual({ ids: [ids[1]], total: 3 });
    expect(await idsOf({ orderBy: 'owner', isDescending: false })).toEqual({
      ids: [ids[1], ids[2], ids[0]],
      total: 3,
    });
    expect(await idsOf({ type: 'deploy' })).toEqual({ ids: [], total: 0 });
    expect((await idsOf({ type: 'task', task: 'package' })).total).toBe(3);
    const [last] = ids.slice(-1);
    if (last === undefined) throw new Error('no job');
    const ended = enter((await openJob(last)).job, 'finished', at + 5000);
    await store.save(await store.takeHold(), [{ job: ended, actions: [], events: [], recorded: [] }]);
    expect(await idsOf({ state: 'finished' })).toEqual({ ids: [last], total: 1 });
    expect((await idsOf({ state: 'new' })).ids).toEqual([ids[1], ids[0]]);
    const moment = (ms: number) => new Date(at + ms);
    expect((await idsOf({ finishedFrom: moment(5000), finishedUntil: moment(5000) })).ids).toEqual([last]);
    expect((await idsOf({ finishedFrom: moment(5001) })).ids).toEqual([]);
    expect((await idsOf({ finishedUntil: moment(4999) })).ids).toEqual([]);
    expect(await idsOf({ limit: 0 })).toEqual({ ids: [], total: 3 });
  });

  test('forgets what ended long ago, with its nodes and events', async () => {
    const hold = await store.takeHold();
    const [old, open] = [await store.add(order('one')), await store.add(order('two'))];
    const { job } = await openJob(old.id);
    const ended: Job = enter(job, 'failed', at);
    await store.save(hold, [
      { job: ended, actions: [], events: [{ type: 'job_aborted', at, message: 'x' }], recorded: [] },
    ]);

    expect(await store.prune(new Date(at))).toBe(0);
    expect(await store.prune(new Date(at + 1))).toBe(1);

    expect(await store.find(old.id)).toBeUndefined();
    expect(await store.nodes.all(old.id)).toEqual([]);
    expect(await store.find(open.id)).toBeDefined();
  });

  test('scheduled jobs come back, the next first, with their order closed', async () => {
    const schedules = new ScheduledJobStore(database, seal);
    const order = {
      type: 'task',
      order: {
        scope: { kind: 'nodes', nodes: ['a.example.vm'] },
        description: '',
        options: {},
        environment: 'production',
        task: 'package',
        params: { password: 'hidden' },
        isNoop: false,
      },
    } as const;
    const owner = { id: 'anna', login: 'anna' };
    const shown = { task: 'package' };
    const add = (hours: number) => {
      const time = at + hours * 3_600_000;
      const schedule = { kind: 'interval', start: time, seconds: 60 } as const;
      const object = { ...change.object, type: 'scheduled_jobs', id: `token ${hours}` };
      const job = { owner, schedule, scheduledAt: new Date(time), order, shown };
      return schedules.add(job, { ...change, object });
    };
    const [later, sooner] = [await add(2), await add(1)];
    const common = { type: 'task', owner, isEnabled: true, lastRun: undefined, order, shown };

    const [first, second] = await schedules.all();
    expect(first).toMatchObject({ ...common, id: sooner, scheduledAt: new Date(at + 3_600_000) });
    expect(second).toMatchObject({
      ...common,
      id: later,
      schedule: { kind: 'interval', start: at + 7_200_000, seconds: 60 },
    });
    const keyless = new ScheduledJobStore(database, {
      ...seal,
      open: () => {
        throw new Error('another key');
      },
    });
    expect((await keyless.all()).map(({ order: found }) => found)).toEqual([undefined, undefined]);
    expect((await recorded()).map((row) => row['object_id'])).toEqual([String(later), String(sooner)]);
    expect(await schedules.remove(sooner, change)).toBe(true);
    expect(await recorded()).toHaveLength(3);
    expect(await schedules.remove(sooner, change)).toBe(false);
    expect(await schedules.all()).toHaveLength(1);
  });

  test('a scheduled job moves on from the time that it was found with, and from no other', async () => {
    const schedules = new ScheduledJobStore(database, seal);
    const order = {
      type: 'plan',
      order: { plan: 'p', environment: 'e', description: '', parameters: {} },
    } as const;
    const [scheduledAt, next] = [new Date(at), new Date(at + 60_000)];
    const schedule = { kind: 'cron', pattern: '* * * * *', timeZone: 'UTC' } as const;
    const owner = { id: 'anna', login: 'anna' };
    const id = await schedules.add({ owner, schedule, scheduledAt, order, shown: {} }, change);
    const only = async () => (await schedules.all())[0];

    await schedules.pass({ id, scheduledAt }, next, { at, job: 7 });
    await schedules.pass({ id, scheduledAt }, undefined, { at, job: 8 });
    expect(await only()).toMatchObject({ scheduledAt: next, lastRun: { at, job: 7 } });
    expect(await schedules.runs(id)).toEqual([{ at, job: 7 }]);
    await schedules.update(id, { schedule, scheduledAt: next, isEnabled: false }, change);
    expect(await only()).toMatchObject({ isEnabled: false });
    await schedules.pass({ id, scheduledAt: next }, undefined, { at, job: 8 });
    expect(await only()).toBeUndefined();
    expect(await schedules.runs(id)).toEqual([]);
  });

  test('the last hundred runs of a scheduled job are remembered, until it is deleted', async () => {
    const schedules = new ScheduledJobStore(database, seal);
    const order = {
      type: 'plan',
      order: { plan: 'p', environment: 'e', description: '', parameters: {} },
    } as const;
    const schedule = { kind: 'cron', pattern: '* * * * *', timeZone: 'UTC' } as const;
    const owner = { id: 'anna', login: 'anna' };
    const time = (minutes: number) => new Date(at + minutes * 60_000);
    const job = { owner, schedule, scheduledAt: time(0), order, shown: {} };
    const id = await schedules.add(job, change);
    for (let minutes = 0; minutes < 102; minutes += 1)
      await schedules.pass({ id, scheduledAt: time(minutes) }, time(minutes + 1), {
        at: time(minutes).getTime(),
        ...(minutes === 101 ? { error: 'no nodes' } : { job: minutes }),
      });

    const runs = await schedules.runs(id);
    expect(runs).toHaveLength(100);
    expect(runs[0]).toEqual({ at: time(101).getTime(), error: 'no nodes' });
    expect(runs.at(-1)).toMatchObject({ job: 2 });
    await schedules.remove(id, change);
    expect(await schedules.runs(id)).toEqual([]);
  });

  test('a task that an earlier version scheduled runs once', async () => {
    const task = { task: 'package', params: {} };
    await database.write([
      sql`insert into orchestrator_scheduled (owner_id, owner_login, scheduled_at, shown, task_order)
        values ('anna', 'anna', ${encodeTimestamp(new Date(at))}, '{"task": "package"}',
          ${seal.close(JSON.stringify(task))})`,
    ]);

    expect(await new ScheduledJobStore(database, seal).all()).toMatchObject([
      { type: 'task', schedule: { kind: 'once', at }, isEnabled: true, order: { type: 'task', order: task } },
    ]);
  });

  test('a job of many nodes is added at once', async () => {
    const certnames = Array.from({ length: 20_000 }, (_, index) => `node${index}.example.vm`);
    const { id } = await store.add(order('many', { levels: [certnames] }));

    expect((await store.find(id))?.counts.new).toBe(20_000);
  });
});
