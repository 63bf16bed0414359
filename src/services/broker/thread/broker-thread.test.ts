import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { OpensslAuthority, type TestCertificate } from '../../../../test/support/openssl-authority.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { dialWebSocket, type WebSocketConnection } from '../../../platform/websocket/index.ts';
import { decodeRevocationLists } from '../../../platform/x509/index.ts';
import { BrokerThread } from './broker-thread.ts';
import type { BrokerThreadOptions } from './thread-messages.ts';

const workerUrl = new URL('./broker-worker.ts', import.meta.url);
const soon = { timeout: 20_000, interval: 10 };
let authority: OpensslAuthority;
let server: TestCertificate;
let agent: TestCertificate;
let directory: string;
const threads: BrokerThread[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-broker-'));
  authority = new OpensslAuthority('CA');
  server = authority.issue('localhost', ['subjectAltName=DNS:localhost']);
  agent = authority.issue('agent.test');
});

afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.stop();
});

afterAll(() => {
  authority.remove();
  rmSync(directory, { recursive: true });
});

async function start(options: Partial<BrokerThreadOptions> = {}) {
  const lines: string[] = [];
  const note = (_fields: object, message: string) => void lines.push(message);
  const thread = new BrokerThread(
    workerUrl,
    {
      uri: 'pcp://localhost/server',
      port: 0,
      host: '127.0.0.1',
      tls: { ...server, ca: authority.certificate, crl: authority.crl() },
      rules: undefined,
      trustedProxies: [],
      maxConnections: 0,
      maxMessageBytes: 1_000_000,
      messagesPerSecond: 1000,
      connectionsPerSecond: 1000,
      idleTimeoutMs: 360_000,
      controllerGraceMs: 90_000,
      controllerUrls: [],
      logFile: '',
      accessLogFile: '',
      isDebugging: false,
      ...options,
    },
    { ...silentLogger, info: note, warn: note, error: note },
  );
  threads.push(thread);
  return { thread, lines, port: await thread.listen() };
}

async function connect(port: number, client = agent) {
  const heard: string[] = [];
  const ends: string[] = [];
  const connection: WebSocketConnection = await dialWebSocket(
    {
      url: `wss://localhost:${port}/pcp2/agent`,
      ca: authority.certificate,
      certificate: client.certificate,
      privateKey: client.privateKey,
      maxMessageBytes: 1_000_000,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
    },
    () => ({
      message: (data) => void heard.push(String(data)),
      closed: (code, reason) => void ends.push(`${code} ${reason}`),
    }),
  );
  return { connection, heard, ends };
}

function controllerOf(thread: BrokerThread) {
  const heard: string[] = [];
  const state = { sends: [] as ((text: string) => void)[], lost: 0 };
  thread.attach({
    uri: 'pcp://primary.test:8143/server',
    aliases: [],
    connected: (send) => {
      state.sends.push(send);
      return { message: (data) => void heard.push(String(data)), lost: () => void (state.lost += 1) };
    },
  });
  return { heard, state, say: (message: object) => state.sends.at(-1)?.(JSON.stringify(message)) };
}

const id = '98681863-25fc-47f5-8bb6-a55f6bf39635';

test('A broker in a thread takes clients, joins them with the controller of the process, and writes its logs', async () => {
  const [logFile, accessLogFile] = [join(directory, 'pcp-broker.log'), join(directory, 'access.log')];
  const { port, thread } = await start({ logFile, accessLogFile });
  const controller = controllerOf(thread);
  const client = await connect(port);

  controller.say({
    id,
    message_type: 'http://puppetlabs.com/rpc_blocking_request',
    target: 'pcp://agent.test/agent',
  });
  await expect.poll(() => client.heard.length, soon).toBe(1);
  client.connection.send(
    JSON.stringify({ id, message_type: 'x', target: 'pcp://primary.test:8143/server', data: 1 }),
  );
  await expect.poll(() => controller.heard.length, soon).toBe(1);

  expect(JSON.parse(client.heard[0] ?? '')).toMatchObject({ sender: 'pcp://primary.test:8143/server' });
  expect(JSON.parse(controller.heard[0] ?? '')).toMatchObject({ sender: 'pcp://agent.test/agent', data: 1 });
  await expect.poll(() => thread.state, soon).toMatchObject({ state: 'running', connections: 1 });
  const metrics = await thread.metrics();
  expect(metrics?.timers['puppetlabs.pcp.on-connect']?.rates.total).toBeGreaterThan(0);
  expect(metrics?.timers['puppetlabs.pcp.on-send']?.largest).toBeGreaterThan(0);
  expect(metrics?.memory.heapUsedBytes).toBeGreaterThan(1_000_000);
  expect(thread.state.controllers).toEqual(['pcp://primary.test:8143/server']);
  await expect.poll(() => readFileSync(accessLogFile, 'utf8').split('\n').length, soon).toBe(3);
  expect(readFileSync(accessLogFile, 'utf8')).toMatch(/AUTHORIZATION_SUCCESS \S+ agent\.test /);
  await expect.poll(() => readFileSync(logFile, 'utf8'), soon).toContain('controller is connected');
});

test('A broker in a thread ends connections that are revoked, and the others when it stops', async () => {
  const { port, thread } = await start();
  const revoked = authority.issue('revoked.test');
  const [leaves, stays] = [await connect(port, revoked), await connect(port)];

  authority.revoke('revoked.test');
  thread.setRevocationLists(decodeRevocationLists(authority.crl()));
  await expect.poll(() => leaves.ends, soon).toEqual(['1012 CRL reloaded']);
  expect(stays.ends).toEqual([]);
  await thread.stop();

  await expect.poll(() => stays.ends, soon).toEqual(['1011 Broker is not running.']);
  expect(thread.state.state).toBe('stopping');
});

test('A broker whose thread dies is back on its port, with its controller', async () => {
  const { lines, port, thread } = await start();
  const controller = controllerOf(thread);
  await connect(port);
  const worker = (
    thread as unknown as { readonly thread: { readonly worker: { terminate(): Promise<number> } } }
  ).thread.worker;

  await worker.terminate();

  await expect.poll(() => lines, soon).toContain('the thread of the broker has ended; it starts again');
  const again = async () => (await connect(port).catch(() => undefined)) !== undefined;
  await expect.poll(again, soon).toBe(true);
  expect([controller.state.sends.length, controller.state.lost]).toEqual([2, 1]);
});

test('A broker whose port is taken says so', async () => {
  const { port } = await start();

  await expect(start({ port })).rejects.toThrow(`Port ${port} is in use by another program`);
});
