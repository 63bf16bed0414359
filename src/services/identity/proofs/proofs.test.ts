import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeMetadata } from '../../../../test/support/aws/fake-metadata.ts';
import { FakeSts, instanceCaller } from '../../../../test/support/aws/fake-sts.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { InstanceMetadata } from '../../../platform/aws/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { StsProvider } from '../aws/sts-provider.ts';
import { documentProof, stsProof } from './aws-proofs.ts';
import { obtainGrant } from './obtain-grant.ts';
import { podProof } from './pod-proof.ts';

const instanceId = 'i-0a1b2c3d4e5f60718';
const bonds = { caFingerprint: 'ab'.repeat(32), keyDigest: 'cd'.repeat(32) };
const signal = AbortSignal.timeout(600_000);
let metadata: FakeMetadata;
let base: string;

beforeAll(async () => {
  metadata = await FakeMetadata.start();
  base = await mkdtemp(join(tmpdir(), 'bunraku-proofs-'));
});

afterAll(async () => {
  await metadata.close();
  await rm(base, { recursive: true });
});

test('an instance proves itself with the credentials of its role, in its region', async () => {
  const caller = instanceCaller('123456789012', 'compile', instanceId);
  metadata.describe(instanceId, 'eu-west-1', 'compile', caller);
  const sts = new FakeSts();
  sts.add(caller);
  const hosts: string[] = [];
  const provider = new StsProvider({
    post: async (url, headers, body) => {
      hosts.push(url);
      return sts.answer({ method: 'POST', url: '/', headers, body: Buffer.from(body) });
    },
  });
  const maker = stsProof(new InstanceMetadata(metadata.endpoint), () => new Date());

  const proof = await maker.make(bonds, signal);

  expect(await maker.name(signal)).toBe(instanceId);
  expect(await provider.verify(proof, { ...bonds, now: new Date(), signal })).toMatchObject({
    instance: `aws/123456789012/${instanceId}`,
    attributes: { account: '123456789012', role: 'compile' },
  });
  expect(hosts).toEqual(['https://sts.eu-west-1.amazonaws.com/']);
});

test('a document is sent as the metadata service gives it', async () => {
  metadata.values.set('dynamic/instance-identity/rsa2048', 'MIAG\nAAAA');

  expect(await documentProof(new InstanceMetadata(metadata.endpoint)).make(bonds, signal)).toEqual({
    pkcs7: 'MIAG\nAAAA',
  });
});

test('a pod learns its name from its token, which is read anew each time', async () => {
  const file = join(base, 'token');
  const token = (name: string) =>
    `e30.${Buffer.from(JSON.stringify({ 'kubernetes.io': { pod: { name } } })).toString('base64url')}.c2ln`;
  const maker = podProof(file);
  await expect(maker.make(bonds, signal)).rejects.toThrow('identity_token_file');
  await writeFile(file, `${token('compile-1')}\n`);

  expect(await maker.name(signal)).toBe('compile-1');
  expect(await maker.make(bonds, signal)).toEqual({ token: token('compile-1') });
  await writeFile(file, 'e30.e30.e30');
  await expect(maker.name(signal)).rejects.toThrow('is not of a pod');
});

test('a server asks for as long as the primary is away or holds its claim, and ends when it is refused', async () => {
  const answers = [
    new ServiceError('unavailable', 'away'),
    { status: 503, headers: { 'retry-after': '0.001' }, body: Buffer.from('Try again later') },
    { status: 409, headers: {}, body: Buffer.from('The claim is held') },
    { status: 200, headers: {}, body: Buffer.from('{"token":"grant","expires_at":""}') },
    { status: 403, headers: {}, body: Buffer.from('The proof of identity does not count') },
  ];
  let made = 0;
  const order = {
    ...bonds,
    maker: { provider: 'aws', name: async () => instanceId, make: async () => ({ number: (made += 1) }) },
    client: {
      async send() {
        const answer = answers.shift();
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no more answers');
        return answer;
      },
    },
    url: 'https://primary.test:8140',
    certname: 'i-1.test',
    log: silentLogger,
    signal,
    pauseMs: 1,
  };

  expect(await obtainGrant(order)).toBe('grant');
  expect(made).toBe(4);
  await expect(obtainGrant(order)).rejects.toMatchObject({
    reason: 'forbidden',
    message: 'The proof of identity does not count',
  });
});
