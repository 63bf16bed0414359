/** The fake of a Kubernetes cluster, judged by `kubectl`, and what the program asks of it. */

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClusterApi, clusterOfFile, clusterOfPod } from '../../src/platform/kubernetes/index.ts';
import { clusterTerminus } from '../../src/server/infrastructure/cluster-terminus.ts';
import { podDriver } from '../../src/services/autoscaler/index.ts';
import { TokenProvider } from '../../src/services/identity/index.ts';
import { FakeCluster } from '../support/kubernetes/fake-cluster.ts';

let base: string;
let file: string;
let cluster: FakeCluster;
let api: ClusterApi;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'bunraku-cluster-'));
  cluster = await FakeCluster.start();
  file = join(base, 'kubeconfig');
  writeFileSync(file, cluster.kubeconfig());
  api = new ClusterApi(await clusterOfFile(file));
});

afterAll(async () => {
  api.close();
  await cluster.close();
  rmSync(base, { recursive: true });
});

beforeEach(() => {
  cluster.faultOf = () => undefined;
  cluster.pods.clear();
  cluster.requests.length = 0;
});

/** Debian's, or a newer one that is in the path. */
const client = 'kubectl';

function hasKubectl(): boolean {
  try {
    return execFileSync(client, ['version', '--client'], { encoding: 'utf8' }).includes('Client Version');
  } catch {
    return false;
  }
}

describe.skipIf(!hasKubectl())('kubectl', () => {
  async function kubectl(...words: readonly string[]): Promise<string> {
    const environment = { ...process.env, HOME: base, KUBECONFIG: file };
    return (await promisify(execFile)(client, words, { env: environment })).stdout;
  }

  test('lists pods, and deletes one', async () => {
    cluster.add('compile-1');
    cluster.add('other', { labels: { app: 'web' } });

    const { items } = JSON.parse(
      await kubectl('get', 'pods', '--selector', 'app=compile', '--output', 'json'),
    ) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['compile-1']);
    await kubectl('delete', 'pod', 'compile-1', '--wait=false');
    expect(cluster.pods.get('puppet/compile-1')?.deletionTimestamp).toBeDefined();
  });

  test('has a token reviewed', async () => {
    const token = cluster.tokens.issue({
      namespace: 'puppet',
      serviceAccount: 'compile',
      pod: { name: 'compile-1', uid: 'uid-compile-1' },
      audiences: ['bunraku'],
      expiresAt: Date.now() / 1000 + 600,
    });
    const review = join(base, 'review.json');
    const content = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token, audiences: ['bunraku'] },
    };
    writeFileSync(review, JSON.stringify(content));

    const answer = await kubectl('create', '--validate=false', '--filename', review, '--output', 'json');

    expect(JSON.parse(answer)).toMatchObject({
      status: { authenticated: true, user: { username: 'system:serviceaccount:puppet:compile' } },
    });
  });
});

describe('the program', () => {
  const context = {
    caFingerprint: '',
    keyDigest: '',
    now: new Date(),
    signal: AbortSignal.timeout(600_000),
  };

  test('has the token of a pod reviewed, and looks whether the pod is alive', async () => {
    const { name, uid } = cluster.add('compile-1');
    const issue = (audiences: readonly string[]) =>
      cluster.tokens.issue({
        namespace: 'puppet',
        serviceAccount: 'compile',
        pod: { name, uid },
        audiences,
        expiresAt: Date.now() / 1000 + 600,
      });
    const provider = new TokenProvider(clusterTerminus(api));

    expect(await provider.verify({ token: issue(['bunraku']) }, context)).toEqual({
      provider: 'kubernetes',
      instance: 'kubernetes/uid-compile-1',
      name: 'compile-1',
      isKeyBound: false,
      attributes: { namespace: 'puppet', service_account: 'compile' },
    });
    await expect(provider.verify({ token: issue(['other']) }, context)).rejects.toThrow(
      'does not accept the token',
    );
    cluster.faultOf = () => 500;
    await expect(provider.verify({ token: issue(['bunraku']) }, context)).rejects.toMatchObject({
      reason: 'unavailable',
      message:
        'The Kubernetes API answers /apis/authentication.k8s.io/v1/tokenreviews with status 500: an injected fault',
    });
  });

  test('sees its pods, page by page, and which of them are being deleted', async () => {
    for (let number = 0; number < 1200; number += 1) cluster.add(`compile-${number}`);
    cluster.add('pending', { phase: 'Pending' });
    cluster.add('ending', { deletionTimestamp: '2026-01-01T00:00:00Z' });
    cluster.add('ended', { phase: 'Succeeded' });
    cluster.add('web', { labels: { app: 'web' } });
    const driver = podDriver({ cluster: api, selector: 'app=compile' });

    const found = (await driver.inventory()) ?? [];

    expect(found).toHaveLength(1202);
    expect(found.slice(-2)).toEqual([
      { id: 'uid-pending', state: 'pending', certname: 'pending' },
      { id: 'uid-ending', state: 'ending', certname: 'ending' },
    ]);
    expect(cluster.requests).toHaveLength(3);
  });

  test('deletes a pod once, and never another one of its name', async () => {
    cluster.add('compile-1');
    const driver = podDriver({ cluster: api, selector: 'app=compile' });

    await driver.end('uid-compile-1');
    await driver.end('uid-compile-1');
    cluster.add('compile-1', { uid: 'new' });
    await driver.end('uid-compile-1');

    expect(cluster.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
    expect(cluster.pods.get('puppet/compile-1')?.deletionTimestamp).toBeUndefined();
  });

  test('tells a cluster that fails or throttles as a failure that passes', async () => {
    const driver = podDriver({ cluster: api, selector: 'app=compile' });
    cluster.faultOf = () => 429;

    await expect(driver.inventory()).rejects.toMatchObject({ name: 'DriverError', retry: 'soon' });
    await expect(driver.end('uid-compile-1')).rejects.toMatchObject({ name: 'DriverError', retry: 'soon' });
  });

  test('finds the cluster of its pod, whose token may change', async () => {
    const directory = join(base, 'account');
    const { mkdirSync } = await import('node:fs');
    mkdirSync(directory);
    for (const [name, text] of Object.entries({ token: 'first', 'ca.crt': 'ca', namespace: 'puppet\n' }))
      writeFileSync(join(directory, name), text);
    const variables = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };

    const access = await clusterOfPod(variables, directory);
    writeFileSync(join(directory, 'token'), 'second\n');

    expect(access).toMatchObject({ url: 'https://[fd00::1]:6443', ca: 'ca', namespace: 'puppet' });
    expect(await access?.token()).toBe('second');
    expect(await clusterOfPod({}, directory)).toBeUndefined();
  });

  test.each([
    ['no such context', { 'current-context': 'none' }, "there is no context 'none'"],
    [
      'nothing to trust',
      { clusters: [{ name: 'fake', cluster: { server: 'https://127.0.0.1' } }] },
      'no certificate-authority',
    ],
    [
      'a program that makes tokens',
      { users: [{ name: 'primary', user: { exec: { command: 'aws' } } }] },
      'neither a token',
    ],
  ])('refuses a kubeconfig with %s', async (_what, changes, message) => {
    const wrong = join(base, 'wrong');
    writeFileSync(wrong, JSON.stringify({ ...(JSON.parse(cluster.kubeconfig()) as object), ...changes }));

    await expect(clusterOfFile(wrong)).rejects.toThrow(message);
  });
});
