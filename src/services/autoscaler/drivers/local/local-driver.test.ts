import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../../platform/log/index.ts';
import { endMarked, findMarked } from '../../../../platform/processes/index.ts';
import { LocalDriver } from './local-driver.ts';

let base: string;
let directory: string;
let nowMs: number;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'local-driver-'));
  directory = join(base, 'servers');
  nowMs = 0;
});
afterEach(async () => {
  for (const id of existsSync(directory) ? readdirSync(directory) : [])
    if (id !== 'primary') await endMarked(join(directory, id, 'mark'), 0);
  rmSync(base, { recursive: true });
});

/** Drivers of processes that only sleep, after having written down how they were called. */
function open(script = 'exec sleep 60'): Promise<LocalDriver> {
  const program = join(base, 'program');
  writeFileSync(program, `#!/bin/sh\necho "$*" > called; env > environment; ${script}\n`, { mode: 0o755 });
  return LocalDriver.open({
    directory,
    program: [program, 'main.js'],
    primaryUrl: () => 'https://localhost:18140',
    caFingerprint: () => 'ab'.repeat(32),
    listen: '127.0.0.1',
    firstPort: 29_500,
    altNames: ['puppet', 'localhost'],
    flags: ({ broker }) => [`--pcp-broker-port=${broker}`],
    grants: { issue: async (certname) => `token of ${certname}` },
    graceMs: 60_000,
    environment: process.env,
    nowMs: () => nowMs,
    log: silentLogger,
  });
}

function order(id: string) {
  return { id, certname: `pool-${id}.test` };
}

function inData(id: string, name: string): string {
  return readFileSync(join(directory, id, 'data', name), 'utf8');
}

test('an order makes one server, with a directory and ports of its own and a token that others cannot see', async () => {
  const driver = await open();

  expect(await driver.launch([order('a'), order('b')])).toEqual([undefined, undefined]);
  const first = await findMarked(join(directory, 'a', 'mark'));
  expect(await driver.launch([order('a')])).toEqual([undefined]);

  expect(await findMarked(join(directory, 'a', 'mark'))).toBe(first);
  expect(await driver.inventory()).toEqual([
    { id: 'a', orderId: 'a', certname: 'pool-a.test', state: 'running' },
    { id: 'b', orderId: 'b', certname: 'pool-b.test', state: 'running' },
  ]);
  await expect.poll(() => existsSync(join(directory, 'b', 'data', 'environment'))).toBe(true);
  await expect.poll(() => inData('b', 'environment')).toContain('BUNRAKU_JOIN_TOKEN=token of pool-b.test\n');
  expect(inData('b', 'called')).toBe(
    `main.js compile-server join https://localhost:18140 --run --ca-fingerprint=${'ab'.repeat(32)} ` +
      `--data=${join(directory, 'b', 'data')} --certname=pool-b.test --listen=127.0.0.1 --serverport=29503 ` +
      '--dns-alt-names=puppet,localhost --pcp-broker-port=29504\n',
  );
});

test('the next process of the primary takes the servers over, and ends them', async () => {
  await (await open()).launch([order('a')]);
  const pid = await findMarked(join(directory, 'a', 'mark'));
  const next = await open();

  expect(await next.inventory()).toMatchObject([{ id: 'a', state: 'running' }]);
  await next.launch([order('a')]);
  expect(await findMarked(join(directory, 'a', 'mark'))).toBe(pid);
  await next.end('a');
  await next.end('a');

  expect(await next.inventory()).toEqual([]);
  expect(readdirSync(directory)).toEqual(['primary']);
});

test('a server that ended is started again with its directory and its certificate, without a token', async () => {
  const driver = await open();
  await driver.launch([order('a')]);
  const certificates = join(directory, 'a', 'data', 'puppet', 'ssl', 'certs');
  mkdirSync(certificates, { recursive: true });
  writeFileSync(join(certificates, 'pool-a.test.pem'), '');
  await endMarked(join(directory, 'a', 'mark'), 5000);
  rmSync(join(directory, 'a', 'data', 'environment'), { force: true });
  expect(await driver.inventory()).toMatchObject([{ id: 'a', state: 'stopped' }]);

  await driver.launch([order('a')]);

  expect(await driver.inventory()).toMatchObject([{ id: 'a', state: 'running' }]);
  await expect.poll(() => existsSync(join(directory, 'a', 'data', 'environment'))).toBe(true);
  await expect.poll(() => inData('a', 'environment')).toContain('BUNRAKU_BOUND_TO=');
  expect(inData('a', 'environment')).not.toContain('BUNRAKU_JOIN_TOKEN');
});

test('a server that ends each time is given up after five starts in ten minutes', async () => {
  const driver = await open('echo no room; exit 1');
  const startAll = async () => {
    const outcomes = await driver.launch([order('a')]);
    await expect.poll(() => findMarked(join(directory, 'a', 'mark'))).toBeUndefined();
    return outcomes[0];
  };
  for (let start = 0; start < 5; start++) expect(await startAll()).toBeUndefined();

  expect(await startAll()).toMatchObject({
    message: 'It ended 5 times within 10 minutes, at last with: no room',
    retry: 'never',
  });
  nowMs = 10 * 60_000;
  expect(await startAll()).toBeUndefined();
});

test('what an interrupted launch or end has left behind is an instance', async () => {
  const driver = await open();
  mkdirSync(join(directory, 'half'), { recursive: true });

  expect(await driver.inventory()).toEqual([{ id: 'half', orderId: 'half', state: 'stopped' }]);
  await driver.launch([order('half')]);
  expect(await driver.inventory()).toMatchObject([{ id: 'half', state: 'running' }]);
  await driver.end('half');
  expect(await driver.inventory()).toEqual([]);
});

test('ports that another program has are left out', async () => {
  const other = await listening(29_501);
  const driver = await open();

  await driver.launch([order('a')]);

  await new Promise((resolve) => {
    other.close(resolve);
  });
  await expect.poll(() => existsSync(join(directory, 'a', 'data', 'called'))).toBe(true);
  await expect.poll(() => inData('a', 'called')).toContain('--serverport=29503');
});

function listening(port: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
