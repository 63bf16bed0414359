import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { FakeAws } from '../../../../test/support/aws/fake-aws.ts';
import { FakeMetadata } from '../../../../test/support/aws/fake-metadata.ts';
import { instanceCaller } from '../../../../test/support/aws/fake-sts.ts';
import { AutoScaling, InstanceMetadata } from '../../../platform/aws/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { calledFromWarmPool, InstanceWatch } from './instance-watch.ts';

const group = 'puppet-compile';
const instanceId = 'i-0a1b2c3d4e5f60718';
const target = 'meta-data/autoscaling/target-lifecycle-state';
const caller = instanceCaller('123456789012', 'compile', instanceId);
let aws: FakeAws;
let metadata: FakeMetadata;
let groups: AutoScaling;
let watch: InstanceWatch;
let isServing: boolean;
let left: number;
let isPrimaryAway: boolean;

beforeAll(async () => {
  aws = await FakeAws.start();
  aws.add(caller);
  aws.autoScaling.addGroup(group, { launch: 'launch', terminate: 'terminate' });
  Object.assign(process.env, aws.variables(caller));
  metadata = await FakeMetadata.start();
  groups = new AutoScaling({ region: async () => 'eu-west-1' });
});

afterAll(async () => {
  await groups.close();
  await Promise.all([aws.close(), metadata.close()]);
});

beforeEach(() => {
  aws.autoScaling.instances.clear();
  aws.autoScaling.effects.length = 0;
  metadata.values.clear();
  metadata.describe(instanceId, 'eu-west-1', 'compile', caller);
  metadata.values.set(target, 'InService');
  [isServing, left, isPrimaryAway] = [false, 0, false];
  watch = new InstanceWatch({
    metadata: new InstanceMetadata(metadata.endpoint),
    groups,
    launchHook: 'launch',
    terminateHook: 'terminate',
    isServing: () => isServing,
    async leave() {
      left += 1;
      if (isPrimaryAway) throw new Error('the primary is away');
    },
    log: silentLogger,
    pollMs: 10,
    heartbeatMs: 30,
  });
});

afterEach(() => watch.stop(false));

const actions = () => aws.autoScaling.effects.map(({ action }) => action);

test('an instance waits in the launch hook, with heartbeats, until its server serves', async () => {
  aws.autoScaling.launch(group, instanceId);
  watch.start();
  await vi.waitFor(() => expect(actions()).toContain('heartbeat'), { timeout: 60_000 });
  expect(actions()).not.toContain('complete CONTINUE Pending:Wait');

  isServing = true;

  await vi.waitFor(() => expect(actions().at(-1)).toBe('complete CONTINUE Pending:Wait'), {
    timeout: 60_000,
  });
  await sleep(100);
  expect(actions().filter((action) => action.startsWith('complete'))).toHaveLength(1);
  expect(left).toBe(0);
});

test('an instance that AWS ends leaves first, however long the primary is away, and then completes the hook', async () => {
  const instance = aws.autoScaling.launch(group, instanceId);
  isPrimaryAway = true;
  aws.autoScaling.end(instance);
  metadata.values.set(target, 'Terminated');
  watch.start();
  await vi.waitFor(() => expect(left).toBeGreaterThan(2), { timeout: 60_000 });
  expect(watch.obstacle).toContain('AWS ends this one');
  expect(actions()).toEqual([]);

  isPrimaryAway = false;
  await watch.stop(true);

  expect(actions()).toEqual(['complete CONTINUE Terminating:Wait']);
});

test('a server that stops for a reboot completes nothing', async () => {
  aws.autoScaling.launch(group, instanceId).state = 'InService';
  isServing = true;
  watch.start();
  await sleep(50);

  await watch.stop(false);

  expect([actions(), left, watch.obstacle]).toEqual([[], 0, undefined]);
});

test('the notice of a spot interruption is an order to leave', async () => {
  metadata.values.set(
    'meta-data/spot/instance-action',
    '{"action":"terminate","time":"2026-11-26T12:00:00Z"}',
  );
  watch.start();

  await vi.waitFor(() => expect(left).toBeGreaterThan(0), { timeout: 60_000 });
});

test('an instance in a warm pool waits until it is called, and leaves when it is sent back', async () => {
  metadata.values.set(target, 'Warmed:Stopped');
  let isCalled = false;
  const { signal } = new AbortController();
  const called = calledFromWarmPool(new InstanceMetadata(metadata.endpoint), silentLogger, signal, 10).then(
    () => {
      isCalled = true;
    },
  );
  await sleep(60);
  expect(isCalled).toBe(false);

  metadata.values.set(target, 'InService');
  await called;
  metadata.values.set(target, 'Warmed:Stopped');
  watch.start();

  await vi.waitFor(() => expect(left).toBeGreaterThan(0), { timeout: 60_000 });
});

test('where AWS does not answer, the server goes on', async () => {
  isServing = true;
  watch.start();
  await sleep(50);

  expect(watch.obstacle).toBeUndefined();
});
