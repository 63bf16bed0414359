import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeAws, type Fault } from '../../../../../test/support/aws/fake-aws.ts';
import { instanceCaller } from '../../../../../test/support/aws/fake-sts.ts';
import { randomFrom } from '../../../../../test/support/random-from.ts';
import { AutoScaling } from '../../../../platform/aws/index.ts';
import type { Driver } from '../driver.ts';
import { groupDriver } from './group-driver.ts';

const group = 'puppet-compile';
const caller = instanceCaller('123456789012', 'primary', 'i-0a1b2c3d4e5f60718');
let aws: FakeAws;
let driver: Driver;

function driverWith(options: { readonly maxAttempts?: number; readonly requestTimeoutMs?: number }): Driver {
  return groupDriver({
    groups: new AutoScaling({ region: async () => 'eu-west-1', ...options }),
    group,
    launchHook: 'launch',
    terminateHook: 'terminate',
    certnameOf: async (instanceId) => (instanceId.endsWith('0') ? `${instanceId}.test` : undefined),
  });
}

beforeAll(async () => {
  aws = await FakeAws.start();
  aws.add(caller);
  aws.autoScaling.addGroup(group, { launch: 'launch', terminate: 'terminate' });
  aws.autoScaling.addGroup('web');
  Object.assign(process.env, aws.variables(caller));
  driver = driverWith({});
});

afterAll(async () => {
  await driver.close?.();
  await aws.close();
});

beforeEach(() => {
  aws.faultOf = () => undefined;
  aws.autoScaling.instances.clear();
  aws.autoScaling.effects.length = 0;
});

test('the inventory has the instances of the group with their names, without those of warm pools', async () => {
  const states = [
    'Pending:Wait',
    'InService',
    'Standby',
    'Terminating:Wait',
    'Terminating:Proceed',
    'Warmed:Stopped',
    'Detached',
  ];
  for (const [index, state] of states.entries())
    aws.autoScaling.launch(group, `i-0000000${index}`).state = state;
  aws.autoScaling.launch('web');

  expect(await driver.inventory()).toEqual([
    { id: 'i-00000000', state: 'pending', certname: 'i-00000000.test' },
    { id: 'i-00000001', state: 'running' },
    { id: 'i-00000002', state: 'running' },
    { id: 'i-00000003', state: 'ending' },
    { id: 'i-00000004', state: 'ending' },
  ]);
});

describe('an instance whose server has left', () => {
  test.each([
    ['Terminating:Wait', 'complete CONTINUE Terminating:Wait'],
    ['Pending:Wait', 'complete ABANDON Pending:Wait'],
    ['InService', 'terminate'],
  ])('goes from %s by one action, however often it is told to', async (state, action) => {
    const { id } = aws.autoScaling.launch(group);
    const instance = aws.autoScaling.instances.get(id);
    if (instance !== undefined) instance.state = state;

    await driver.end(id);
    await driver.end(id);

    const [first] = aws.autoScaling.effects;
    expect(first).toEqual({ action, instanceId: id });
    expect(aws.autoScaling.effects.filter((effect) => effect.action === action)).toHaveLength(1);
  });

  test.each(['Terminating:Proceed', 'Terminated', 'Detaching'])('is left alone in %s', async (state) => {
    aws.autoScaling.launch(group, 'i-00000001').state = state;

    await driver.end('i-00000001');

    expect(aws.autoScaling.effects).toEqual([]);
  });

  test('of another group, or none, is left alone', async () => {
    const { id } = aws.autoScaling.launch('web');

    await driver.end(id);
    await driver.end('i-00000000000000000');

    expect(aws.autoScaling.effects).toEqual([]);
  });
});

test('a group launches by itself', async () => {
  const [outcome] = await driver.launch([{ id: 'a', certname: 'a.test' }]);

  expect(outcome).toMatchObject({ retry: 'never' });
});

test('what AWS throttles for long is told as a failure that passes, and changes nothing', async () => {
  const impatient = driverWith({ maxAttempts: 2 });
  aws.faultOf = () => ({ kind: 'throttle' });

  await expect(impatient.inventory()).rejects.toMatchObject({ name: 'DriverError', retry: 'soon' });
  await expect(impatient.end('i-00000001')).rejects.toMatchObject({ name: 'DriverError', retry: 'soon' });
  await impatient.close?.();
});

describe('on a clock that is moved', () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    });
  });
  afterEach(() => vi.useRealTimers());

  test('no action is done twice in a thousand calls, a third of which AWS throttles, fails, delays by 30 s or answers in vain', async () => {
    const calls = 1000;
    const random = randomFrom(1);
    const kinds: readonly Fault[] = [
      { kind: 'throttle' },
      { kind: 'fail' },
      { kind: 'lose' },
      { kind: 'delay', ms: 30_000 },
    ];
    aws.faultOf = () => (random() < 1 / 3 ? kinds[Math.floor(random() * kinds.length)] : undefined);
    aws.requests.length = 0;
    const began = Date.now();
    // A delay is longer than an attempt may take: the answer is lost, and the effect comes later.
    const busy = driverWith({ maxAttempts: 3 });
    const states = ['Terminating:Wait', 'Pending:Wait', 'InService'];
    let failed = 0;
    let count = 0;
    await whileTimePasses(async () => {
      while (aws.requests.length < calls) {
        const { id } = aws.autoScaling.launch(group);
        const instance = aws.autoScaling.instances.get(id);
        if (instance !== undefined) instance.state = states[(count += 1) % states.length] ?? '';
        // Told twice, as by a primary that was restarted, until it has been accepted.
        for (let told = 0; told < 2; told += 1)
          await busy.end(id).catch((error: unknown) => {
            expect(error).toMatchObject({ name: 'DriverError', retry: 'soon' });
            failed += 1;
          });
      }
      await busy.close?.();
      while (aws.delayed > 0) await new Promise((resolve) => setTimeout(resolve, 1000));
    });

    const seen = new Map<string, number>();
    for (const { action, instanceId } of aws.autoScaling.effects) {
      const key = `${action} ${instanceId}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    expect([...seen.values()].filter((times) => times > 1)).toEqual([]);
    expect(seen.size).toBeGreaterThan(count / 2);
    expect(failed).toBeGreaterThan(0);
    expect(Date.now() - began).toBeGreaterThan(10 * 60_000);
  });

  /** Moves the clock to what is due next whenever nothing else is under way. */
  async function whileTimePasses(work: () => Promise<void>): Promise<void> {
    let isDone = false;
    const done = work().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      // Requests come and go over real sockets.
      for (let turns = 0; turns < 30; turns += 1) await new Promise(setImmediate);
      await vi.advanceTimersToNextTimerAsync();
    }
    await done;
  }
});
