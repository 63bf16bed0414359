/** Checks the program's AWS requests and the fake's answers against botocore's service models. */

import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AutoScaling, amzDate, authorizationOf } from '../../src/platform/aws/index.ts';
import { stsBody, stsHeaders } from '../../src/services/identity/aws/sts-request.ts';
import { FakeAws } from '../support/aws/fake-aws.ts';
import { instanceCaller } from '../support/aws/fake-sts.ts';
import { modelDirectory, ServiceModel } from '../support/aws/service-model.ts';

const group = 'puppet-compile';
const caller = instanceCaller('123456789012', 'primary', 'i-0a1b2c3d4e5f60718');

describe.skipIf(!existsSync(modelDirectory))('by the models of botocore', () => {
  let aws: FakeAws;
  let model: ServiceModel;

  beforeAll(async () => {
    model = new ServiceModel('autoscaling/2011-01-01');
    aws = await FakeAws.start();
    aws.add(caller);
    aws.autoScaling.addGroup(group, { launch: 'launch', terminate: 'terminate' });
    Object.assign(process.env, aws.variables(caller));
  });
  afterAll(() => aws.close());

  test('each call of the program is one of AWS, and each answer of the fake as AWS answers it', async () => {
    const client = new AutoScaling({ region: async () => 'eu-west-1', maxAttempts: 1 });
    const { id: instanceId } = aws.autoScaling.launch(group);
    for (let count = 0; count < 60; count += 1) aws.autoScaling.launch(group);
    const hooked = { group, hook: 'launch', instanceId };

    expect(await client.instancesOf(group)).toHaveLength(61);
    await client.find(instanceId);
    expect(await client.heartbeat(hooked)).toBe(true);
    expect(await client.complete(hooked, 'CONTINUE')).toBe(true);
    expect(await client.complete(hooked, 'CONTINUE')).toBe(false);
    expect(await client.terminate(instanceId)).toBe(true);
    expect(await client.terminate(instanceId)).toBe(false);
    expect(await client.complete({ ...hooked, hook: 'terminate' }, 'CONTINUE')).toBe(true);
    expect(await client.terminate(instanceId)).toBe(false);
    await client.close();

    const judged = aws.exchanges.map(({ action, answer, request }) => ({
      action,
      problems: [
        ...model.problemsOfRequest(new URLSearchParams(request.body.toString('utf8'))),
        ...model.problemsOfAnswer(action, answer),
      ],
    }));
    expect(judged.filter(({ problems }) => problems.length > 0)).toEqual([]);
    expect(new Set(judged.map(({ action }) => action))).toEqual(
      new Set([
        'DescribeAutoScalingInstances',
        'RecordLifecycleActionHeartbeat',
        'CompleteLifecycleAction',
        'TerminateInstanceInAutoScalingGroup',
      ]),
    );
  });

  test('invalid requests and answers are found', () => {
    const ask = (form: Readonly<Record<string, string>>) =>
      model.problemsOfRequest(new URLSearchParams(form));
    const namespace = 'http://autoscaling.amazonaws.com/doc/2011-01-01/';
    const answer = (content: string) =>
      model.problemsOfAnswer('DescribeAutoScalingInstances', {
        status: 200,
        body: `<DescribeAutoScalingInstancesResponse xmlns="${namespace}"><DescribeAutoScalingInstancesResult><AutoScalingInstances><member>${content}</member></AutoScalingInstances></DescribeAutoScalingInstancesResult></DescribeAutoScalingInstancesResponse>`,
      });

    expect(ask({ Action: 'CompleteLifecycleAction', 'Instance.member.1': 'i-1' })).toEqual([
      'Instance.member.1 is not known',
      'CompleteLifecycleAction.LifecycleHookName is missing',
      'CompleteLifecycleAction.AutoScalingGroupName is missing',
      'CompleteLifecycleAction.LifecycleActionResult is missing',
    ]);
    expect(
      answer('<InstanceId>i-1</InstanceId><ProtectedFromScaleIn>no</ProtectedFromScaleIn><Age>1</Age>'),
    ).toEqual(
      expect.arrayContaining([
        'DescribeAutoScalingInstances.AutoScalingInstances.member.ProtectedFromScaleIn: no is no InstanceProtected',
        'DescribeAutoScalingInstances.AutoScalingInstances.member.Age is not known',
        'DescribeAutoScalingInstances.AutoScalingInstances.member.LifecycleState is missing',
      ]),
    );
  });

  test('so are the question that proves an instance, and its answer', () => {
    const sts = new ServiceModel('sts/2011-06-15');
    const now = new Date();
    const { accessKeyId, secret, sessionToken: securityToken } = caller;
    const digest = 'ab'.repeat(32);
    const host = 'sts.eu-west-1.amazonaws.com';
    const headers = stsHeaders({
      host,
      date: amzDate(now),
      securityToken,
      caFingerprint: digest,
      keyDigest: digest,
    });
    const request = { method: 'POST', path: '/', headers, body: stsBody };
    const credentials = { accessKeyId, secretAccessKey: secret };
    const authorization = authorizationOf(request, { region: 'eu-west-1', service: 'sts' }, credentials);

    const answer = aws.sts.answer(
      { method: 'POST', url: '/', headers: { ...headers, authorization }, body: Buffer.from(stsBody) },
      now,
    );

    expect(answer.status).toBe(200);
    expect(sts.problemsOfRequest(new URLSearchParams(stsBody))).toEqual([]);
    expect(sts.problemsOfAnswer('GetCallerIdentity', answer)).toEqual([]);
  });
});
