/** Jobs in virtual time: random histories with crashes between any two steps. */

import { expect, test } from 'vitest';
import { serverItself } from '../../platform/changes/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { JobRunner } from './job-runner.ts';
import type { ActionPolicy } from './jobs/action.ts';
import { batchesOf } from './jobs/batches.ts';
import { stateOf } from './jobs/job.ts';
import { isJobOver } from './jobs/states.ts';
import { RecordedAgents } from './recorded-agent.testing.ts';
import {
  randomOf,
  SimulatedFleet,
  SimulatedStore,
  VirtualTime,
  type Weather,
} from './simulated-fleet.testing.ts';

const histories = Number(process.env['HISTORIES'] ?? 500);
const policy: ActionPolicy = {
  disconnectedMs: 30_000,
  disconnectedAfterRestartMs: 120_000,
  answerMs: 10_000,
  quietMs: 60_000,
  silentMs: 300_000,
  mostDeliveries: 5,
  reportRetryMs: 500,
  mostReportTries: 5,
};
const calm: Weather = {
  calmMs: Number.POSITIVE_INFINITY,
  longestBreakMs: 0,
  doubled: 0,
  restarts: 0,
  kills: 0,
};
/** Breaks that end before a node is given up. */
const rough: Weather = { calmMs: 40_000, longestBreakMs: 9000, doubled: 0.2, restarts: 0.3, kills: 0 };
const stormy: Weather = { calmMs: 20_000, longestBreakMs: 80_000, doubled: 0.2, restarts: 0.3, kills: 0.05 };

/** A process of the orchestrator, which can crash at any time. */
class Incarnation {
  readonly runner: JobRunner;
  private isDead = false;

  constructor(world: World, crashes: number) {
    const never = new Promise<never>(() => undefined);
    const gate = async <T>(act: () => T): Promise<T> => {
      if (this.isDead) return await never;
      if (world.random() < crashes) {
        this.crash(world);
        return await never;
      }
      const value = act();
      if (world.random() >= crashes) return value;
      this.crash(world);
      return await never;
    };
    this.runner = new JobRunner({
      store: world.store.view(gate),
      link: world.fleet.link(gate),
      findReport: () => Promise.resolve(undefined),
      policy,
      limits: { deploy: 2, task: 5 },
      nowMs: () => world.time.now,
      newId: () => world.newId(),
      pause: () => Promise.resolve(),
      log: silentLogger,
    });
  }

  crash(world: World): void {
    this.isDead = true;
    world.crashed();
  }

  get isAlive(): boolean {
    return !this.isDead;
  }
}

class World {
  readonly random: () => number;
  readonly time = new VirtualTime();
  readonly fleet: SimulatedFleet;
  readonly store = new SimulatedStore();
  current: Incarnation | undefined;
  crashes: number;
  crashCount = 0;
  private ids = 0;

  constructor(seed: number, weather: Weather, size: number, crashes: number) {
    this.random = randomOf(seed);
    this.fleet = new SimulatedFleet(this.time, this.random, weather, size);
    this.crashes = crashes;
    this.startSoon(0);
    this.tickLater();
  }

  newId(): string {
    this.ids += 1;
    return `id-${this.ids}`;
  }

  crashed(): void {
    this.crashCount += 1;
    this.current = undefined;
    this.fleet.forgetListener();
    this.startSoon(100 + this.random() * 5000);
  }

  async until(isDone: () => boolean): Promise<void> {
    const limit = this.time.now + 7_200_000;
    while (!isDone()) {
      if (this.time.now > limit) throw new Error('not done after two hours');
      await this.time.step();
    }
  }

  private startSoon(ms: number): void {
    this.time.after(ms, () => {
      const incarnation = new Incarnation(this, this.crashes);
      this.current = incarnation;
      void incarnation.runner.start();
    });
  }

  private tickLater(): void {
    this.time.after(1000, () => {
      void this.current?.runner.tick();
      this.tickLater();
    });
  }
}

interface LifeOptions {
  readonly crashes: number;
  readonly stop?: boolean;
  /** Runs the nodes in pairs, one after the other, until more have failed. */
  readonly mostFailures?: number;
}

async function live(seed: number, weather: Weather, options: LifeOptions) {
  const world = new World(seed, weather, 6, options.crashes);
  const certnames = [...world.fleet.agents.keys()];
  const levels = options.mostFailures === undefined ? [certnames] : batchesOf(certnames, [2]);
  await world.until(() => world.current?.runner.isRunning === true);
  const definition = {
    type: 'task',
    options: { task: 'demo' },
    environment: 'production',
    owner: { id: '1', login: 'admin' },
    description: '',
    ...(world.random() < 0.3 ? { concurrency: 2 } : {}),
    ...(options.mostFailures === undefined ? {} : { mostFailures: options.mostFailures }),
  } as const;
  const request = { module: 'task', action: 'run', params: {} };
  void world.current?.runner.add({ definition, levels, request }, serverItself);
  await world.until(() => world.store.jobs.size > 0 || world.current === undefined);
  if (world.store.jobs.size === 0) return { world, isLost: true };
  if (options.stop === true) {
    const at = world.time.now + world.random() * 60_000;
    await world.until(() => world.time.now >= at && world.current?.runner.isRunning === true);
    void world.current?.runner.stop(1, serverItself);
  }
  await world.until(() => isJobOver(stateOf(jobOf(world).job)));
  return { world, isLost: false };
}

function jobOf({ store }: World) {
  const stored = store.jobs.get(1);
  if (stored === undefined) throw new Error('the job is gone');
  return stored;
}

/** What is true of every history, whatever went wrong. */
function checkHistory(world: World): void {
  const { actions, events, job } = jobOf(world);
  for (const [certname, { outcome, state, transactionId }] of actions) {
    const agent = world.fleet.agents.get(certname);
    const entry = agent?.spool.get(transactionId ?? '');
    expect(agent?.runs).toBeLessThanOrEqual(1);
    expect(['finished', 'failed', 'errored', 'skipped']).toContain(state);
    if (state === 'finished') expect(entry).toMatchObject({ status: 'ended', exitcode: 0 });
    if (state === 'failed') expect(entry).toMatchObject({ status: 'ended', exitcode: 1 });
    if (state === 'skipped') expect(agent?.runs).toBe(0);
    if (state === 'errored') expect(outcome?.detail).toBeTypeOf('string');
    const told = events.filter((event) => event.certname === certname).map(({ type }) => type);
    expect(told.filter((type) => type === 'node_running').length).toBeLessThanOrEqual(1);
    expect(told.filter((type) => type !== 'node_running')).toEqual([`node_${state}`]);
    expect(told.at(-1)).toBe(`node_${state}`);
  }
  const states = [...actions.values()].map(({ state }) => state);
  const hasFailed = states.some((state) => state === 'failed' || state === 'errored');
  const path = job.statuses.map(({ state }) => state).join(' ');
  expect(path).toMatch(/^new ready (running )?(stopping stopped|finished|failed)$/);
  if (!path.endsWith('stopped')) expect(path.endsWith('failed')).toBe(hasFailed);
  expect(events.filter(({ type }) => type === 'job_finished')).toHaveLength(1);
  expect(events.at(-1)?.type).toBe('job_finished');
  for (const [index, { leftAt }] of job.statuses.entries())
    expect(leftAt).toBe(job.statuses[index + 1]?.enteredAt);
}

test('a job without trouble runs once on each node', async () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const { world } = await live(seed, calm, { crashes: 0 });

    checkHistory(world);
    for (const agent of world.fleet.agents.values()) expect(agent.runs).toBe(1);
  }
});

test('restarts of the server alone change no result', async () => {
  for (let seed = 1; seed <= histories / 2; seed += 1) {
    const { isLost, world } = await live(seed + 3_000_000, calm, { crashes: 0.03 });
    if (isLost) continue;
    checkHistory(world);
    for (const { deliveries, state } of jobOf(world).actions.values())
      if (deliveries < policy.mostDeliveries) expect(['finished', 'failed']).toContain(state);
  }
});

test('crashes, short breaks, lost and doubled messages change no result', async () => {
  let crashes = 0;
  let repeated = 0;
  for (let seed = 1; seed <= histories; seed += 1) {
    const { isLost, world } = await live(seed, rough, { crashes: 0.03 });
    crashes += world.crashCount;
    if (isLost) continue;
    checkHistory(world);
    for (const { certname, deliveries, state } of jobOf(world).actions.values()) {
      if (deliveries > 1) repeated += 1;
      // Each time it was lost on the way, or a crash came before it was sent.
      if (deliveries >= policy.mostDeliveries) continue;
      expect(['finished', 'failed'], `seed ${seed}, ${certname}`).toContain(state);
    }
  }
  // Otherwise nothing was tested.
  expect(crashes).toBeGreaterThan(histories / 2);
  expect(repeated).toBeGreaterThan(histories / 50);
});

test('nothing runs twice and nothing hangs, whatever breaks and for how long', async () => {
  const states = new Set<string>();
  for (let seed = 1; seed <= histories; seed += 1) {
    const { isLost, world } = await live(seed + 1_000_000, stormy, { crashes: 0.05 });
    if (isLost) continue;
    checkHistory(world);
    for (const { state } of jobOf(world).actions.values()) states.add(state);
  }
  expect(states).toEqual(new Set(['finished', 'failed', 'errored']));
});

/** No node began before those of earlier levels had ended, nor after too many had failed. */
function checkOrder(world: World, mostFailures: number): void {
  const actions = [...jobOf(world).actions.values()];
  for (const later of actions) {
    const run = world.fleet.agents.get(later.certname)?.spool.get(later.transactionId ?? '');
    const before = actions.filter(({ level }) => level < later.level);
    const failures = before.filter(({ state }) => state === 'failed' || state === 'errored');
    if (later.state === 'skipped') continue;
    expect(failures.length).toBeLessThanOrEqual(mostFailures);
    for (const { certname, state, transactionId } of before) {
      expect(state).not.toBe('skipped');
      const earlier = world.fleet.agents.get(certname)?.spool.get(transactionId ?? '');
      // A node that was given up may still be at work.
      if (run === undefined || earlier === undefined || state === 'errored') continue;
      expect(earlier.endedAt).toBeLessThanOrEqual(run.startedAt);
    }
  }
  const failed = actions.filter(({ state }) => state === 'failed' || state === 'errored').length;
  const skipped = actions.filter(({ state }) => state === 'skipped').length;
  if (skipped > 0) expect(failed).toBeGreaterThan(mostFailures);
}

test.each([0, 1, 6])('levels run one after the other, until more than %i nodes have failed', async (most) => {
  let [crashes, skipped, last] = [0, 0, 0];
  for (let seed = 1; seed <= histories / 5; seed += 1) {
    const weather = seed % 2 === 0 ? rough : stormy;
    const { isLost, world } = await live(seed + 4_000_000, weather, { crashes: 0.03, mostFailures: most });
    crashes += world.crashCount;
    if (isLost) continue;
    checkHistory(world);
    checkOrder(world, most);
    for (const { level, state } of jobOf(world).actions.values()) {
      if (state === 'skipped') skipped += 1;
      if (level === 2 && state === 'finished') last += 1;
    }
  }
  // Otherwise nothing was tested.
  expect(crashes).toBeGreaterThan(0);
  expect(last).toBeGreaterThan(0);
  expect(skipped > 0).toBe(most < 6);
});

test('a stopped job starts nothing more, and ends when what runs has ended', async () => {
  const states = new Set<string>();
  for (let seed = 1; seed <= histories / 4; seed += 1) {
    const { isLost, world } = await live(seed + 2_000_000, rough, { crashes: 0.02, stop: true });
    if (isLost) continue;
    checkHistory(world);
    for (const { state } of jobOf(world).actions.values()) states.add(state);
  }
  expect(states).toContain('skipped');
});

test('after a restart nodes have time to come back, also for jobs that begin only then', async () => {
  const store = new SimulatedStore();
  const link = new RecordedAgents();
  let nowMs = 0;
  let ids = 0;
  const start = async () => {
    const runner = new JobRunner({
      store: store.view((act) => Promise.resolve(act())),
      link,
      findReport: () => Promise.resolve(undefined),
      policy,
      limits: { deploy: 2, task: 5 },
      nowMs: () => nowMs,
      newId: () => `id-${(ids += 1)}`,
      pause: () => Promise.resolve(),
      log: silentLogger,
    });
    await runner.start();
    return runner;
  };
  const definition = {
    type: 'task',
    options: { task: 'demo' },
    environment: 'production',
    owner: { id: '1', login: 'admin' },
    description: '',
  } as const;
  const order = { definition, levels: [['away']], request: { module: 'task', action: 'run', params: {} } };
  const stateAt = async (runner: JobRunner, id: number, ms: number) => {
    nowMs = ms;
    await runner.tick();
    return store.jobs.get(id)?.actions.get('away')?.state;
  };

  const first = await start();
  const before = await first.add(order, serverItself);
  const endedBefore = [await stateAt(first, before, 29_999), await stateAt(first, before, 30_000)];
  await first.close();
  const second = await start();
  const after = await second.add(order, serverItself);
  const endedAfter = [await stateAt(second, after, 149_999), await stateAt(second, after, 150_000)];

  expect(endedBefore).toEqual(['new', 'errored']);
  expect(endedAfter).toEqual(['new', 'errored']);
});
