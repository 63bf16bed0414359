/** The fake of a Kubernetes cluster, judged by `kubectl`, and what the program asks of it. */

import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { ClusterApi, clusterOfFile, clusterOfPod } from '../../src/platform/kubernetes/index.ts';
import { clusterTerminus } from '../../src/server/infrastructure/cluster-terminus.ts';
import { type Driver, podDriver } from '../../src/services/autoscaler/index.ts';
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
    cluster.pods.add('compile-1');
    cluster.pods.add('other', { labels: { app: 'web' } });

    const { items } = JSON.parse(
      await kubectl('get', 'pods', '--selector', 'app=compile', '--output', 'json'),
    ) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['compile-1']);
    await kubectl('delete', 'pod', 'compile-1', '--wait=false');
    expect(cluster.pods.find('puppet', 'compile-1')?.deletionTimestamp).toBeDefined();
  });

  test('watches pods from the list on, through the end of an answer', async () => {
    const { pods } = cluster;
    const first = pods.add('compile-1');
    const words = ['get', 'pods', '--watch', '--no-headers', '--output=name'];
    const child = spawn(client, words, { env: { ...process.env, HOME: base, KUBECONFIG: file } });
    let output = '';
    child.stdout.on('data', (piece: Buffer) => {
      output += piece.toString('utf8');
    });
    await vi.waitUntil(() => pods.watching === 1, { timeout: 60_000 });
    pods.bookmark();
    pods.add('compile-2');
    pods.remove(first);
    await vi.waitUntil(() => output.split('\n').length > 3, { timeout: 60_000 });
    child.kill();

    expect(output).toBe('pod/compile-1\npod/compile-2\npod/compile-1\n');
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

/** Of a class whose methods are not its own members. */
function asMembers(one: ClusterApi) {
  return {
    namespace: one.namespace,
    get: one.get.bind(one),
    watch: one.watch.bind(one),
    delete: one.delete.bind(one),
  };
}

/**
 * What Kubernetes' client for JavaScript sent, which understood the answers: lists in pages, an informer, deletions with a precondition, a
 * review. It was run once against the fake.
 */
test("the requests of Kubernetes' client for JavaScript are answered as it was", async () => {
  const recorded = JSON.parse(
    readFileSync(join(import.meta.dirname, 'client-node.json'), 'utf8'),
  ) as Recorded;
  const fresh = await FakeCluster.start();
  const access = await clusterOfText(fresh.kubeconfig());
  const http = new HttpClient({ ca: access.ca });
  for (let number = 0; number < 3; number += 1) fresh.pods.add(`compile-${number}`);
  fresh.pods.add('web', { labels: { app: 'web' } });
  const token = fresh.tokens.issue({
    namespace: 'puppet',
    serviceAccount: 'compile',
    audiences: ['bunraku'],
    expiresAt: Date.now() / 1000 + 600,
  });
  const events: unknown[] = [];

  const statuses: number[] = [];
  for (const { accept, body, contentType, method, path } of recorded.requests) {
    const { body: answer, status } = await http.stream({
      method,
      url: fresh.url + path,
      headers: {
        accept,
        authorization: `Bearer ${fresh.bearer}`,
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body).replace('TOKEN', token) }),
    });
    statuses.push(status);
    if (path.includes('watch=true'))
      answer.on('data', (line: Buffer) => events.push(JSON.parse(line.toString('utf8'))));
    else answer.resume();
  }

  expect(statuses).toEqual(recorded.requests.map(({ status }) => status));
  await expect
    .poll(() => events)
    .toMatchObject([{ type: 'MODIFIED', object: { kind: 'Pod', metadata: { name: 'compile-1' } } }]);
  http.close();
  await fresh.close();
});

interface Recorded {
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly accept: string;
    readonly contentType?: string;
    readonly body?: unknown;
    readonly status: number;
  }[];
}

async function clusterOfText(text: string) {
  const path = join(base, 'fresh');
  writeFileSync(path, text);
  return await clusterOfFile(path);
}

describe('the program', () => {
  const context = {
    caFingerprint: '',
    keyDigest: '',
    now: new Date(),
    signal: AbortSignal.timeout(600_000),
  };

  test('has the token of a pod reviewed, and looks whether the pod is alive', async () => {
    const { name, uid } = cluster.pods.add('compile-1');
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

  /** Closed after the test, as a driver of its own. */
  function driverOf(): Driver {
    // The connections are shared by the tests.
    const cluster = { ...asMembers(api), close: () => {} };
    const driver = podDriver({ cluster, selector: 'app=compile' });
    onTestFinished(() => driver.close?.());
    return driver;
  }

  test('sees its pods, page by page, and which of them are being deleted', async () => {
    for (let number = 0; number < 1200; number += 1) cluster.pods.add(`compile-${number}`);
    cluster.pods.add('pending', { phase: 'Pending' });
    cluster.pods.add('ending', { deletionTimestamp: '2026-01-01T00:00:00Z' });
    cluster.pods.add('ended', { phase: 'Succeeded' });
    cluster.pods.add('web', { labels: { app: 'web' } });
    const driver = driverOf();

    const found = (await driver.inventory()) ?? [];

    expect(found).toHaveLength(1202);
    expect(found.slice(-2)).toEqual([
      { id: 'uid-pending', state: 'pending', certname: 'pending' },
      { id: 'uid-ending', state: 'ending', certname: 'ending' },
    ]);
    expect(cluster.requests.slice(0, 3)).toEqual(Array(3).fill('GET /api/v1/namespaces/puppet/pods'));
    await vi.waitUntil(() => cluster.requests.length === 4);
    await driver.inventory();
    expect(cluster.requests).toHaveLength(4);
  });

  test('deletes a pod once, and never another one of its name', async () => {
    cluster.pods.add('compile-1');
    const driver = driverOf();

    await driver.end('uid-compile-1');
    await driver.end('uid-compile-1');
    cluster.pods.add('compile-1', { uid: 'new' });
    await driver.end('uid-compile-1');

    expect(cluster.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
    expect(cluster.pods.find('puppet', 'compile-1')?.deletionTimestamp).toBeUndefined();
  });

  test('hears of each pod that comes, is deleted and is gone, without asking again', async () => {
    const { pods } = cluster;
    const driver = driverOf();
    const states = async () =>
      (await driver.inventory())?.map(({ certname, state }) => `${certname} ${state}`);
    pods.add('compile-1');
    expect(await states()).toEqual(['compile-1 running']);
    await vi.waitUntil(() => pods.watching === 1);
    const asked = cluster.requests.length;

    const second = pods.add('compile-2', { phase: 'Pending' });
    await expect.poll(states).toEqual(['compile-1 running', 'compile-2 pending']);
    pods.change(second, { phase: 'Running' });
    await expect.poll(states).toEqual(['compile-1 running', 'compile-2 running']);
    pods.change(second, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    await expect.poll(states).toEqual(['compile-1 running', 'compile-2 ending']);
    pods.remove(second);
    await expect.poll(states).toEqual(['compile-1 running']);

    expect(cluster.requests).toHaveLength(asked);
  });

  test.each(['in order', 'broken'] as const)(
    'goes on from the last version when a watch ends %s, and misses nothing',
    async (how) => {
      const { pods } = cluster;
      const driver = driverOf();
      await driver.inventory();
      await vi.waitUntil(() => pods.watching === 1);
      // The version of a pod that the driver does not see comes by a bookmark alone.
      pods.add('web', { labels: { app: 'web' } });
      pods.bookmark();
      pods.add('compile-1');
      const names = async () =>
        (await driver.inventory().catch(() => undefined))?.map(({ certname }) => certname);
      await expect.poll(names).toEqual(['compile-1']);
      const lists = () => cluster.lists;
      const before = lists();

      cluster.faultOf = () => 500;
      pods.endWatches(how);
      await expect
        .poll(() =>
          driver.inventory().then(
            () => '',
            ({ retry }) => String(retry),
          ),
        )
        .toBe('soon');
      pods.add('compile-2');
      cluster.faultOf = () => undefined;

      await expect.poll(names).toEqual(['compile-1', 'compile-2']);
      expect(lists()).toBe(before);
    },
  );

  test('lists again when it cannot resume', async () => {
    const { pods } = cluster;
    const driver = driverOf();
    const first = pods.add('compile-1');
    await driver.inventory();
    await vi.waitUntil(() => pods.watching === 1);
    const before = cluster.lists;

    pods.endWatches();
    await vi.waitUntil(() => pods.watching === 0);
    pods.remove(first);
    pods.add('compile-2');
    pods.forgetChanges();

    await expect
      .poll(async () => (await driver.inventory())?.map(({ certname }) => certname))
      .toEqual(['compile-2']);
    expect(cluster.lists).toBe(before + 1);
  });

  test('lists its pods again and again where it may not watch them', async () => {
    const driver = driverOf();
    cluster.pods.add('compile-1');
    cluster.faultOf = (request) => (request.startsWith('WATCH') ? 403 : undefined);

    await driver.inventory();
    await vi.waitUntil(() => cluster.requests.some((request) => request.startsWith('WATCH')));

    expect(await driver.inventory()).toHaveLength(1);
  });

  test('tells a cluster that fails or throttles as a failure that passes', async () => {
    const driver = driverOf();
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
