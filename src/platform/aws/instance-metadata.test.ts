import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeMetadata } from '../../../test/support/aws/fake-metadata.ts';
import { instanceCaller } from '../../../test/support/aws/fake-sts.ts';
import { InstanceMetadata } from './instance-metadata.ts';

let fake: FakeMetadata;
const caller = instanceCaller('123456789012', 'puppet', 'i-0a1b2c3d4e5f60718');

beforeAll(async () => {
  fake = await FakeMetadata.start();
  fake.describe('i-0a1b2c3d4e5f60718', 'eu-west-1', 'puppet', caller);
});

afterAll(() => fake.close());

test('values are found by a token, which is used again and replaced when it ends', async () => {
  let nowMs = 0;
  const metadata = new InstanceMetadata(`${fake.endpoint}/`, () => nowMs);

  expect(await metadata.find('meta-data/instance-id')).toBe('i-0a1b2c3d4e5f60718');
  expect(await metadata.find('meta-data/spot/instance-action')).toBeUndefined();
  fake.forgetTokens();
  expect(await metadata.get('meta-data/placement/region')).toBe('eu-west-1');
  nowMs = 7 * 60 * 60 * 1000;
  expect(await metadata.get('meta-data/placement/region')).toBe('eu-west-1');
  await expect(metadata.get('meta-data/none')).rejects.toMatchObject({ reason: 'unavailable' });
});

test('the credentials are those of the role of the instance', async () => {
  expect(await new InstanceMetadata(fake.endpoint).credentials()).toEqual({
    accessKeyId: caller.accessKeyId,
    secretAccessKey: caller.secret,
    sessionToken: caller.sessionToken,
  });
});

test('where nothing answers, it says so', async () => {
  const nowhere = new InstanceMetadata('http://127.0.0.1:9');

  await expect(nowhere.get('meta-data/instance-id')).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('The instance metadata service does not answer') as unknown,
  });
});
