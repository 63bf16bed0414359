/** The fake of AWS, judged by AWS's own programs: the command line of Debian (botocore) and its client for JavaScript. */

import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AutoScaling, CloudWatch } from '../../src/platform/aws/index.ts';
import { FakeAws } from '../support/aws/fake-aws.ts';
import { instanceCaller } from '../support/aws/fake-sts.ts';

const group = 'puppet-compile';
const caller = instanceCaller('123456789012', 'primary', 'i-0a1b2c3d4e5f60718');
let aws: FakeAws;

beforeAll(async () => {
  aws = await FakeAws.start();
  aws.add(caller);
  aws.autoScaling.addGroup(group, { launch: 'bunraku-launch', terminate: 'bunraku-terminate' });
  Object.assign(process.env, aws.variables(caller));
});

afterAll(() => aws.close());

beforeEach(() => {
  aws.faultOf = () => undefined;
  aws.autoScaling.instances.clear();
  aws.autoScaling.effects.length = 0;
  aws.cloudWatch.data.length = 0;
});

/** Debian's, whatever else is in the path. */
const commandLine = '/usr/bin/aws';

function hasCommandLine(): boolean {
  try {
    return execFileSync(commandLine, ['--version'], { encoding: 'utf8' }).startsWith('aws-cli/');
  } catch {
    return false;
  }
}

async function cli(...words: readonly string[]): Promise<unknown> {
  const environment = { ...process.env, ...aws.variables(caller) };
  const { stdout } = await promisify(execFile)(
    commandLine,
    ['--endpoint-url', aws.endpoint, '--output', 'json', ...words],
    { env: environment },
  );
  return stdout === '' ? undefined : JSON.parse(stdout);
}

describe.skipIf(!hasCommandLine())("AWS's command line", () => {
  test('is told who it is by its signature', async () => {
    expect(await cli('sts', 'get-caller-identity')).toEqual({
      Account: '123456789012',
      Arn: 'arn:aws:sts::123456789012:assumed-role/primary/i-0a1b2c3d4e5f60718',
      UserId: caller.userId,
    });
  });

  test('sees the instances of a group, sets their number and lets them go on', async () => {
    await cli(
      'autoscaling',
      'set-desired-capacity',
      '--auto-scaling-group-name',
      group,
      '--desired-capacity',
      '2',
    );
    const { AutoScalingInstances: instances } = (await cli(
      'autoscaling',
      'describe-auto-scaling-instances',
    )) as {
      readonly AutoScalingInstances: readonly {
        readonly InstanceId: string;
        readonly LifecycleState: string;
      }[];
    };
    expect(instances.map(({ LifecycleState }) => LifecycleState)).toEqual(['Pending:Wait', 'Pending:Wait']);
    const [first] = instances;
    const hook = ['--auto-scaling-group-name', group, '--instance-id', first?.InstanceId ?? ''];
    await cli(
      'autoscaling',
      'record-lifecycle-action-heartbeat',
      ...hook,
      '--lifecycle-hook-name',
      'bunraku-launch',
    );
    const words = [
      ...hook,
      '--lifecycle-hook-name',
      'bunraku-launch',
      '--lifecycle-action-result',
      'CONTINUE',
    ];
    await cli('autoscaling', 'complete-lifecycle-action', ...words);
    await expect(cli('autoscaling', 'complete-lifecycle-action', ...words)).rejects.toThrow(
      'An error occurred (ValidationError) when calling the CompleteLifecycleAction operation: No active Lifecycle Action',
    );
    const { Activity: activity } = (await cli(
      'autoscaling',
      'terminate-instance-in-auto-scaling-group',
      '--instance-id',
      first?.InstanceId ?? '',
      '--no-should-decrement-desired-capacity',
    )) as { readonly Activity: { readonly StatusCode: string } };
    expect(activity.StatusCode).toBe('InProgress');
    expect(aws.autoScaling.instances.get(first?.InstanceId ?? '')?.state).toBe('Terminating:Wait');
    const { AutoScalingGroups: groups } = (await cli('autoscaling', 'describe-auto-scaling-groups')) as {
      readonly AutoScalingGroups: readonly { readonly DesiredCapacity: number }[];
    };
    expect(groups).toMatchObject([{ AutoScalingGroupName: group, DesiredCapacity: 2 }]);
  });

  test('sends metrics, and repeats what is throttled or fails', async () => {
    const faults = [{ kind: 'throttle' }, { kind: 'fail' }] as const;
    let asked = 0;
    aws.faultOf = () => faults[asked++];

    const value = ['--metric-name', 'CapacityUsed', '--unit', 'Percent', '--value', '61.5'];
    const dimensions = `AutoScalingGroupName=${group}`;
    await cli(
      'cloudwatch',
      'put-metric-data',
      '--namespace',
      'Bunraku',
      ...value,
      '--dimensions',
      dimensions,
    );

    expect(asked).toBe(3);
    expect(aws.cloudWatch.data).toEqual([
      {
        namespace: 'Bunraku',
        name: 'CapacityUsed',
        value: 61.5,
        unit: 'Percent',
        dimensions: { AutoScalingGroupName: group },
      },
    ]);
  });

  test('is refused with a wrong secret', async () => {
    const wrong = { ...caller, secret: 'wrong' };
    const environment = { ...process.env, ...aws.variables(wrong) };
    const words = ['--endpoint-url', aws.endpoint, 'sts', 'get-caller-identity'];

    await expect(promisify(execFile)(commandLine, words, { env: environment })).rejects.toThrow(
      'An error occurred (SignatureDoesNotMatch) when calling the GetCallerIdentity operation',
    );
  });
});

describe("AWS's client for JavaScript", () => {
  const region = async () => 'eu-west-1';
  const client = new AutoScaling({ region });
  afterAll(() => client.close());

  test('sees more instances than one page has', async () => {
    aws.autoScaling.addGroup('web');
    for (let count = 0; count < 120; count += 1) aws.autoScaling.launch(group);
    const web = aws.autoScaling.launch('web');

    expect(await client.instancesOf(group)).toHaveLength(120);
    expect(await client.find(web.id)).toEqual({
      instanceId: web.id,
      group: 'web',
      lifecycleState: 'InService',
    });
    expect(await client.find('i-00000000000000000')).toBeUndefined();
  });

  test('sends the capacity used', async () => {
    const watch = new CloudWatch(region);
    const datum = { namespace: 'Bunraku', name: 'CapacityUsed', unit: 'Percent', value: 42 } as const;

    await watch.put({ ...datum, dimensions: { AutoScalingGroupName: group }, time: new Date() });
    await watch.close();

    expect(aws.cloudWatch.data).toEqual([{ ...datum, dimensions: { AutoScalingGroupName: group } }]);
  });

  test('says which failure of AWS it was', async () => {
    const refused = new AutoScaling({ region, maxAttempts: 1 });
    aws.faultOf = () => ({ kind: 'throttle' });

    await expect(refused.instancesOf(group)).rejects.toMatchObject({
      reason: 'unavailable',
      message: 'AWS Auto Scaling: Throttling: Rate exceeded',
    });
    await refused.close();
  });
});
