/** To which broker our agent connects, when again, and which brokers it refuses. */

import { setTimeout as sleep } from 'node:timers/promises';
import { test as baseTest, describe, expect, vi } from 'vitest';
import { RunningAgent, TestSite } from './running-agent.ts';
import { type Identity, type PcpMessage, TestBroker } from './test-broker.ts';

const patience = { timeout: 120_000, interval: 20 };

/** An agent and its brokers: one of each test, so that tests that wait wait side by side. */
class Scene {
  readonly site = new TestSite();
  agent: RunningAgent | undefined;
  private readonly brokers: TestBroker[] = [];

  async startBroker(identity: Identity = this.site.broker, maxVersion?: 'TLSv1.2'): Promise<TestBroker> {
    const broker = new TestBroker(identity, maxVersion);
    await broker.listen();
    this.brokers.push(broker);
    return broker;
  }

  start(list: readonly TestBroker[], settings: Readonly<Record<string, unknown>> = {}): void {
    const uris = list.map(({ port }) => `wss://localhost:${port}/pcp2/`);
    this.agent = new RunningAgent(this.site, { 'broker-ws-uris': uris, ...settings });
    this.agent.start();
  }

  async end(): Promise<void> {
    await this.agent?.stop();
    for (const broker of this.brokers) await broker.stop();
    this.site.remove();
  }
}

const test = baseTest.extend('scene', ({ task: _task }, { onCleanup }) => {
  const scene = new Scene();
  onCleanup(() => scene.end());
  return scene;
});

describe.concurrent('of several brokers', () => {
  test('the first is taken, the next when that is lost, and the first again when it is back', async ({
    scene,
  }) => {
    const [first, second] = [await scene.startBroker(), await scene.startBroker()];
    scene.start([first, second], { 'broker-return-interval': 1 });
    await connected(first);

    await first.stop();
    await connected(second);
    await first.listen();

    await connected(first);
    await vi.waitUntil(() => second.closed.length === 1, patience);
    expect(second.closed).toEqual([[1000, 'going back to a preferred broker']]);
    expect(await pong(first)).toBe(true);
  });

  test('the next is taken when one refuses the upgrade', async ({ scene }) => {
    const [first, second] = [await scene.startBroker(), await scene.startBroker()];
    first.refuseWith = 503;

    scene.start([first, second]);

    await connected(second);
    expect(first.upgrades).toHaveLength(1);
  });

  test('the next is taken when one says that it cannot help', async ({ scene }) => {
    const [first, second] = [await scene.startBroker(), await scene.startBroker()];
    scene.start([first, second]);
    await connected(first);

    first.close(1011, 'All controllers disconnected.');

    await connected(second);
    expect(first.upgrades).toHaveLength(1);
  });

  test.for([1000, 1012, 4002])('the same is tried again after it closed with %i', async (code, { scene }) => {
    const [first, second] = [await scene.startBroker(), await scene.startBroker()];
    scene.start([first, second]);
    await connected(first);

    first.close(code, 'bye');

    await vi.waitUntil(() => first.upgrades.length === 2, patience);
    expect(first.closed).toEqual([[code, 'bye']]);
    expect(second.upgrades).toEqual([]);
  });
});

test.concurrent('an agent that is stopped while a connection is being opened ends', async ({ scene }) => {
  const broker = await scene.startBroker();
  broker.answersAfterMs = 1000;
  scene.start([broker]);
  await vi.waitUntil(() => broker.upgrades.length === 1, patience);

  expect(await scene.agent?.stop()).toBe(0);

  // The agent may have ended before the broker has read its last words.
  await vi.waitUntil(() => broker.closed.length > 0, patience);
  expect(broker.closed).toEqual([[1000, 'agent stops']]);
});

test.concurrent('the waits between rounds over the brokers grow', async ({ scene }) => {
  const broker = await scene.startBroker();
  broker.refuseWith = 503;
  const times: number[] = [];
  scene.start([broker]);

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

describe.concurrent('a broker is refused', () => {
  test('when its certificate is for another name', async ({ scene }) => {
    const broker = await scene.startBroker(scene.site.identity('other.example.vm'));

    scene.start([broker]);

    await vi.waitUntil(() => scene.agent?.log.includes('cannot connect'), patience);
    expect(broker.upgrades).toEqual([]);
    expect(scene.agent?.log).toContain('does not match');
  });

  test('when its certificate is revoked', async ({ scene }) => {
    const broker = await scene.startBroker();
    scene.site.authority.revoke('localhost');
    scene.site.writeCrl();

    scene.start([broker]);

    await vi.waitUntil(() => scene.agent?.log.includes('certificate revoked'), patience);
    expect(broker.upgrades).toEqual([]);
  });

  test('when another authority signed its certificate', async ({ scene }) => {
    const other = new TestSite();
    const broker = await scene.startBroker({ ...other.broker, ca: scene.site.authority.certificate });

    scene.start([broker]);

    await vi.waitUntil(() => scene.agent?.log.includes('cannot connect'), patience);
    expect(broker.upgrades).toEqual([]);
    other.remove();
  });
});

describe.concurrent('a connection', () => {
  test('is pinged, and given up after three pings in a row without an answer', async ({ scene }) => {
    const broker = await scene.startBroker();
    scene.start([broker], { 'ping-interval': 6 });
    await connected(broker);
    await vi.waitUntil(() => broker.pingCount > 0, patience);
    expect(broker.upgrades).toHaveLength(1);

    broker.freeze();

    await vi.waitUntil(() => broker.upgrades.length === 2, patience);
    expect(scene.agent?.log).toContain('did not answer 3 pings in a row');
  });

  test('takes fragments, long messages and pings between, and none above 32,000,000 bytes', async ({
    scene,
  }) => {
    const broker = await scene.startBroker();
    scene.start([broker]);
    await connected(broker);

    broker.sendFragments(JSON.stringify(echo('x'.repeat(1_000_000))), 100_000);
    expect((await response(broker)).data).toMatchObject({ results: { outcome: 'x'.repeat(1_000_000) } });
    broker.send(echo('ü'.repeat(15_000_000)));
    expect((await response(broker)).data).toMatchObject({ results: { outcome: 'ü'.repeat(15_000_000) } });
    broker.send(echo('x'.repeat(32_000_000)));

    await vi.waitUntil(() => broker.upgrades.length === 2, patience);
    expect(await pong(broker)).toBe(true);
  });

  test('uses TLS 1.2 with a broker that has nothing newer', async ({ scene }) => {
    const broker = await scene.startBroker(scene.site.broker, 'TLSv1.2');

    scene.start([broker]);

    await connected(broker);
    expect(await pong(broker)).toBe(true);
  });

  test('uses the certificate that is there when it is made', async ({ scene }) => {
    const broker = await scene.startBroker();
    scene.start([broker]);
    await connected(broker);
    const before = broker.peerSerial;
    scene.site.writeSsl(scene.site.authority.issue(scene.site.certname));

    broker.cut();
    await connected(broker);

    expect(broker.peerSerial).not.toBe(before);
  });
});

test.concurrent('nothing that a broker sends ends the agent', async ({ scene }) => {
  const broker = await scene.startBroker();
  scene.start([broker]);
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

test.concurrent.for([
  { frame: 'a reserved bit', bytes: [0xc1, 0x00] },
  { frame: 'a mask', bytes: [0x81, 0x80, 1, 2, 3, 4] },
  { frame: 'a control frame that is too long', bytes: [0x89, 0x7e, 0x01, 0x00] },
  { frame: 'an unknown opcode', bytes: [0x83, 0x00] },
  { frame: 'a fragment without a beginning', bytes: [0x80, 0x00] },
])(
  'a frame that breaks the protocol ends the connection and not the agent: $frame',
  async ({ bytes }, { scene }) => {
    const broker = await scene.startBroker();
    scene.start([broker]);
    await connected(broker);

    broker.sendRaw(Buffer.from(bytes));

    await vi.waitUntil(() => broker.upgrades.length === 2 && broker.isConnected, patience);
    expect(broker.closed).toEqual([[1002, '']]);
    expect(await pong(broker)).toBe(true);
  },
);

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
