/** To which broker our agent connects, when again, and which brokers it refuses. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RunningAgent, TestSite } from './running-agent.ts';
import { type Identity, type PcpMessage, TestBroker } from './test-broker.ts';

const patience = { timeout: 120_000, interval: 20 };

let site: TestSite;
const brokers: TestBroker[] = [];
let agent: RunningAgent | undefined;

beforeEach(() => {
  site = new TestSite();
});
afterEach(async () => {
  await agent?.stop();
  agent = undefined;
  for (const broker of brokers.splice(0)) await broker.stop();
  site.remove();
});

describe('of several brokers', () => {
  test('the first is taken, the next when that is lost, and the first again when it is back', async () => {
    const [first, second] = [await startBroker(), await startBroker()];
    start([first, second], { 'broker-return-interval': 1 });
    await connected(first);

    await first.stop();
    await connected(second);
    await first.listen();

    await connected(first);
    await vi.waitUntil(() => second.closed.length === 1, patience);
    expect(second.closed).toEqual([[1000, 'going back to a preferred broker']]);
    expect(await pong(first)).toBe(true);
  });

  test('the next is taken when one refuses the upgrade', async () => {
    const [first, second] = [await startBroker(), await startBroker()];
    first.refuseWith = 503;

    start([first, second]);

    await connected(second);
    expect(first.upgrades).toHaveLength(1);
  });

  test('the next is taken when one says that it cannot help', async () => {
    const [first, second] = [await startBroker(), await startBroker()];
    start([first, second]);
    await connected(first);

    first.close(1011, 'All controllers disconnected.');

    await connected(second);
    expect(first.upgrades).toHaveLength(1);
  });

  test.each([1000, 1012, 4002])('the same is tried again after it closed with %i', async (code) => {
    const [first, second] = [await startBroker(), await startBroker()];
    start([first, second]);
    await connected(first);

    first.close(code, 'bye');

    await vi.waitUntil(() => first.upgrades.length === 2, patience);
    expect(first.closed).toEqual([[code, 'bye']]);
    expect(second.upgrades).toEqual([]);
  });
});

test('an agent that is stopped while a connection is being opened ends', async () => {
  const broker = await startBroker();
  broker.answersAfterMs = 1000;
  start([broker]);
  await vi.waitUntil(() => broker.upgrades.length === 1, patience);

  expect(await agent?.stop()).toBe(0);

  expect(broker.closed).toEqual([[1000, 'agent stops']]);
});

test('the waits between rounds over the brokers grow', async () => {
  const broker = await startBroker();
  broker.refuseWith = 503;
  const times: number[] = [];
  start([broker]);

  while (times.length < 4) {
    await vi.waitUntil(() => broker.upgrades.length > times.length, patience);
    times.push(Date.now());
  }

  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  // A busy machine makes them longer, and nothing makes them shorter.
  expect(waits[0]).toBeGreaterThan(1400);
  expect(waits[1]).toBeGreaterThan(2900);
  expect(waits[2]).toBeGreaterThan(5900);
});

describe('a broker is refused', () => {
  test('when its certificate is for another name', async () => {
    const broker = await startBroker(site.identity('other.example.vm'));

    start([broker]);

    await vi.waitUntil(() => agent?.log.includes('cannot connect'), patience);
    expect(broker.upgrades).toEqual([]);
    expect(agent?.log).toContain('does not match');
  });

  test('when its certificate is revoked', async () => {
    const broker = await startBroker();
    site.authority.revoke('localhost');
    site.writeCrl();

    start([broker]);

    await vi.waitUntil(() => agent?.log.includes('certificate revoked'), patience);
    expect(broker.upgrades).toEqual([]);
  });

  test('when another authority signed its certificate', async () => {
    const other = new TestSite();
    const broker = await startBroker({ ...other.broker, ca: site.authority.certificate });

    start([broker]);

    await vi.waitUntil(() => agent?.log.includes('cannot connect'), patience);
    expect(broker.upgrades).toEqual([]);
    other.remove();
  });
});

describe('a connection', () => {
  test('is pinged, and given up after three pings in a row without an answer', async () => {
    const broker = await startBroker();
    start([broker], { 'ping-interval': 6 });
    await connected(broker);
    await vi.waitUntil(() => broker.pingCount > 0, patience);
    expect(broker.upgrades).toHaveLength(1);

    broker.freeze();

    await vi.waitUntil(() => broker.upgrades.length === 2, patience);
    expect(agent?.log).toContain('did not answer 3 pings in a row');
  });

  test('takes fragments, long messages and pings between, and none above 32,000,000 bytes', async () => {
    const broker = await startBroker();
    start([broker]);
    await connected(broker);

    broker.sendFragments(JSON.stringify(echo('x'.repeat(1_000_000))), 100_000);
    expect((await response(broker)).data).toMatchObject({ results: { outcome: 'x'.repeat(1_000_000) } });
    broker.send(echo('ü'.repeat(15_000_000)));
    expect((await response(broker)).data).toMatchObject({ results: { outcome: 'ü'.repeat(15_000_000) } });
    broker.send(echo('x'.repeat(32_000_000)));

    await vi.waitUntil(() => broker.upgrades.length === 2, patience);
    expect(await pong(broker)).toBe(true);
  });

  test('uses TLS 1.2 with a broker that has nothing newer', async () => {
    const broker = await startBroker(site.broker, 'TLSv1.2');

    start([broker]);

    await connected(broker);
    expect(await pong(broker)).toBe(true);
  });

  test('uses the certificate that is there when it is made', async () => {
    const broker = await startBroker();
    start([broker]);
    await connected(broker);
    const before = broker.peerSerial;
    site.writeSsl(site.authority.issue(site.certname));

    broker.cut();
    await connected(broker);

    expect(broker.peerSerial).not.toBe(before);
  });
});

test('nothing that a broker sends ends the agent', async () => {
  const broker = await startBroker();
  start([broker]);
  await connected(broker);
  const texts = [
    '',
    '{',
    'null',
    '[]',
    '{"id":1}',
    '"x"',
    `${'['.repeat(5000)}`,
    '{"id":"a","message_type":"b","data":{}}',
  ];
  for (const text of texts) broker.send(text);
  broker.sendBytes(Buffer.from([0xff, 0xfe, 0x00]));
  expect(await pong(broker)).toBe(true);
});

// A reserved bit, a masked frame, a control frame that is too long, an unknown opcode, a fragment without a beginning.
test.each([
  [[0xc1, 0x00]],
  [[0x81, 0x80, 1, 2, 3, 4]],
  [[0x89, 0x7e, 0x01, 0x00]],
  [[0x83, 0x00]],
  [[0x80, 0x00]],
])('frames that break the protocol end the connection and not the agent: %j', async (bytes) => {
  const broker = await startBroker();
  start([broker]);
  await connected(broker);

  broker.sendRaw(Buffer.from(bytes));

  await vi.waitUntil(() => broker.upgrades.length === 2 && broker.isConnected, patience);
  expect(broker.closed).toEqual([[1002, '']]);
  expect(await pong(broker)).toBe(true);
});

async function startBroker(identity: Identity = site.broker, maxVersion?: 'TLSv1.2'): Promise<TestBroker> {
  const broker = new TestBroker(identity, maxVersion);
  await broker.listen();
  brokers.push(broker);
  return broker;
}

function start(list: readonly TestBroker[], settings: Readonly<Record<string, unknown>> = {}): void {
  const uris = list.map(({ port }) => `wss://localhost:${port}/pcp2/`);
  agent = new RunningAgent(site, { 'broker-ws-uris': uris, ...settings });
  agent.start();
}

async function connected(broker: TestBroker): Promise<void> {
  await vi.waitUntil(() => broker.isConnected, patience);
}

function echo(argument: string): PcpMessage {
  const data = { transaction_id: 'e', module: 'echo', action: 'echo', params: { argument } };
  return {
    id: 'm',
    message_type: 'http://puppetlabs.com/rpc_blocking_request',
    sender: 'pcp://m/server',
    data,
  };
}

async function response(broker: TestBroker): Promise<PcpMessage> {
  return await vi.waitUntil(
    () => broker.take(({ message_type: type }) => type.endsWith('rpc_blocking_response')),
    patience,
  );
}

async function pong(broker: TestBroker): Promise<boolean> {
  await sleep(50);
  broker.send(echo('still there'));
  return JSON.stringify((await response(broker)).data).includes('still there');
}
