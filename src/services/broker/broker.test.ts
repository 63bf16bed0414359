import { afterEach, describe, expect, test, vi } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import type { Access } from './access-line.ts';
import { Broker, type BrokerOptions } from './broker.ts';
import { codecV1 } from './messages/codec-v1.ts';
import { codecV2 } from './messages/codec-v2.ts';
import type { Codec, Message } from './messages/message.ts';
import { MessageRules } from './rules.ts';
import type { Client, Wire } from './session.ts';

const prefix = 'http://puppetlabs.com/';
const id = '98681863-25fc-47f5-8bb6-a55f6bf39635';
const controllerUri = 'pcp://primary.test:8143/server';
const noRules = new MessageRules({ rules: [], allowHeaderCertInfo: false });
const open: Broker[] = [];

afterEach(() => {
  for (const broker of open.splice(0)) broker.stop();
  vi.useRealTimers();
});

function createBroker(options: Partial<BrokerOptions> = {}): Broker & { readonly accesses: Access[] } {
  const accesses: Access[] = [];
  const broker = new Broker({
    rules: noRules,
    log: silentLogger,
    onAccess: (access) => void accesses.push(access),
    maxConnections: 0,
    messagesPerSecond: 1000,
    idleTimeoutMs: 360_000,
    expectsControllers: false,
    controllerGraceMs: 90_000,
    nowMs: () => Date.now(),
    ...options,
  });
  broker.start();
  open.push(broker);
  return Object.assign(broker, { accesses });
}

function clientOf(certname: string, type = 'agent', codec: Codec = codecV2): Client {
  const identity = {
    kind: 'certificate',
    certname,
    extensions: {},
    serial: '1',
    raw: Buffer.alloc(0),
    address: '10.0.0.1',
  } as const;
  return { identity, uri: `pcp://${certname}/${type}`, codec, isAssociatedAtOnce: codec === codecV2 };
}

class FakeWire implements Wire {
  readonly sent: (string | Uint8Array)[] = [];
  bufferedBytes = 0;
  receivedBytes = 0;
  isPaused = false;
  ended: string | undefined;

  send(data: string | Uint8Array): void {
    this.sent.push(data);
  }
  close(code: number, reason: string): void {
    this.ended ??= `${code} ${reason}`;
  }
  cut(): void {
    this.ended ??= 'cut';
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
}

function connect(broker: Broker, client: Client) {
  const wire = new FakeWire();
  const events = broker.connect(client, wire);
  return {
    wire,
    say: (message: object) => events.message(JSON.stringify({ id, ...message })),
    sayFrame: (frame: string | Buffer) => events.message(frame),
    leave: () => events.closed(1006, ''),
    get heard() {
      return wire.sent.map((frame) => client.codec.decode(frame as never) as Message);
    },
  };
}

function attach(broker: Broker, uri = controllerUri, aliases: readonly string[] = []) {
  const sent: string[] = [];
  const link = { uri, aliases, bufferedBytes: 0, send: (text: string) => void sent.push(text) };
  const events = broker.attach(link);
  return {
    link,
    sent,
    lost: () => events.lost(),
    say: (message: object) => events.message(JSON.stringify({ id, ...message })),
    get heard() {
      return sent.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
    },
  };
}

describe('A message of a client', () => {
  const request = { message_type: `${prefix}rpc_blocking_response`, target: controllerUri, data: { n: 1 } };

  test('reaches the controller with the sender filled in', () => {
    const broker = createBroker();
    const controller = attach(broker);
    const agent = connect(broker, clientOf('a.test'));

    agent.say(request);

    expect(controller.heard).toEqual([{ id, ...request, sender: 'pcp://a.test/agent' }]);
    expect(broker.accesses.map(({ outcome }) => outcome)).toEqual(['AUTHORIZATION_SUCCESS']);
  });

  test('reaches a controller by another of its names', () => {
    const broker = createBroker();
    const controller = attach(broker, controllerUri, ['pcp://puppet:8143/server']);
    const agent = connect(broker, clientOf('a.test'));

    agent.say({ ...request, target: 'pcp://puppet:8143/server' });

    expect(controller.heard).toHaveLength(1);
  });

  test.each([
    ['no JSON', '{', 'Could not decode message', 'DESERIALIZATION_ERROR'],
    [
      'the name of another sender',
      { ...request, sender: 'pcp://b.test/agent', target: 'pcp://*/agent' },
      'Message not authenticated.',
      'AUTHENTICATION_FAILURE',
    ],
    [
      'a request for another agent',
      { ...request, message_type: `${prefix}rpc_blocking_request`, target: 'pcp://*/agent' },
      'Message not authorized.',
      'AUTHORIZATION_FAILURE',
    ],
    [
      'a question who is connected',
      { message_type: `${prefix}inventory_request`, data: { query: ['pcp://*/agent'] } },
      'Message not authorized.',
      'AUTHORIZATION_FAILURE',
    ],
    ['an odd type', { ...request, message_type: 'a b' }, 'Message not authorized.', 'AUTHORIZATION_FAILURE'],
    [
      'an odd target',
      { ...request, target: 'pcp://a,b/agent' },
      'Message not authorized.',
      'AUTHORIZATION_FAILURE',
    ],
    [
      'a wildcard',
      { ...request, target: 'pcp://*/agent' },
      'Multiple recipients no longer supported.',
      'MULTICAST_UNSUPPORTED',
    ],
    [
      'a target that is not there',
      { ...request, target: 'pcp://c.test/agent' },
      'Not connected.',
      'AUTHORIZATION_SUCCESS',
    ],
  ])('with %s is answered with an error', (_case, message, text, outcome) => {
    const broker = createBroker();
    const agent = connect(broker, clientOf('a.test'));

    if (typeof message === 'string') agent.sayFrame(message);
    else agent.say(message);

    expect(agent.heard).toMatchObject([
      { messageType: `${prefix}error_message`, sender: 'pcp:///server', data: text },
    ]);
    expect(agent.heard[0]?.inReplyTo).toBe(outcome === 'DESERIALIZATION_ERROR' ? undefined : id);
    expect(broker.accesses.map((access) => access.outcome)).toEqual([outcome]);
  });

  test('for the broker that it does not know is not answered', () => {
    const agent = connect(createBroker(), clientOf('a.test'));

    agent.say({ message_type: `${prefix}error_message`, data: 'x' });

    expect(agent.heard).toEqual([]);
  });

  test('of the right name and another client type passes', () => {
    const broker = createBroker();
    const controller = attach(broker);

    connect(broker, clientOf('a.test')).say({ ...request, sender: 'pcp://a.test/other' });

    expect(controller.heard).toMatchObject([{ sender: 'pcp://a.test/other' }]);
  });

  test('waits when there are too many, and is not lost', async () => {
    vi.useFakeTimers();
    const broker = createBroker({ messagesPerSecond: 10 });
    const controller = attach(broker);
    const agent = connect(broker, clientOf('a.test'));

    for (let count = 0; count < 21; count += 1) agent.say(request);
    const wasPaused = agent.wire.isPaused;
    await vi.advanceTimersByTimeAsync(200);

    expect([wasPaused, agent.wire.isPaused, controller.heard.length]).toEqual([true, false, 21]);
  });

  test('waits while the controller does not take what it was sent', async () => {
    vi.useFakeTimers();
    const broker = createBroker();
    const controller = attach(broker);
    const agent = connect(broker, clientOf('a.test'));

    controller.link.bufferedBytes = 9_000_000;
    agent.say(request);
    await vi.advanceTimersByTimeAsync(1000);
    const wasPaused = agent.wire.isPaused;
    controller.link.bufferedBytes = 0;
    await vi.advanceTimersByTimeAsync(100);

    expect([wasPaused, agent.wire.isPaused]).toEqual([true, false]);
  });
});

describe('A controller', () => {
  const request = { message_type: `${prefix}rpc_blocking_request`, target: 'pcp://a.test/agent', data: {} };

  test('sends requests to agents under its own name, port included', () => {
    const broker = createBroker();
    const agent = connect(broker, clientOf('a.test'));

    attach(broker).say(request);

    expect(agent.wire.sent).toEqual([
      JSON.stringify({ id, ...request, sender: controllerUri, data: {} }).replace(
        `"data":{},"sender":"${controllerUri}"`,
        `"sender":"${controllerUri}","data":{}`,
      ),
    ]);
  });

  test.each([
    [{ ...request, sender: 'pcp://primary.test/server' }, 'Message not authenticated.'],
    [{ ...request, message_type: `${prefix}rpc_blocking_response` }, 'Message not authorized.'],
    [request, 'Not connected.'],
  ])('is told what is wrong with %j', (message, text) => {
    const controller = attach(createBroker());

    controller.say(message);

    expect(controller.heard).toMatchObject([{ in_reply_to: id, data: text, target: controllerUri }]);
  });

  test('learns who is connected, then of changes, and of a client that has come again', async () => {
    vi.useFakeTimers();
    const broker = createBroker();
    const before = connect(broker, clientOf('a.test'));
    const controller = attach(broker);

    controller.say({
      message_type: `${prefix}inventory_request`,
      data: { query: ['pcp://*/agent'], subscribe: true },
    });
    connect(broker, clientOf('a.test'));
    before.leave();
    connect(broker, clientOf('b.test')).leave();
    connect(broker, clientOf('b.test'));
    connect(broker, clientOf('a.test', 'tool'));
    await vi.advanceTimersByTimeAsync(1000);

    const [response, update, ...more] = controller.heard;
    expect(response).toMatchObject({ in_reply_to: id, data: { uris: ['pcp://a.test/agent'] } });
    expect(update).toMatchObject({
      message_type: `${prefix}inventory_update`,
      data: {
        changes: [
          // Its earlier connection was cut, and its end is no news.
          { client: 'pcp://a.test/agent', change: 1 },
          ...[1, -1, 1].map((change) => ({ client: 'pcp://b.test/agent', change })),
        ],
      },
    });
    expect(more).toEqual([]);
    expect(before.wire.ended).toBe('cut');
  });

  test.each([
    [{}],
    [{ query: 'x' }],
    [{ query: ['x'] }],
    [{ query: [], subscribe: 1 }],
    [{ query: [], more: 1 }],
  ])('is told that it asks for the inventory with %j', (data) => {
    const controller = attach(createBroker());

    controller.say({ message_type: `${prefix}inventory_request`, data });

    expect(controller.heard[0]?.['data']).toMatch(/^Error \S+ handling message: /);
  });

  test('cannot send more than an agent takes', () => {
    const broker = createBroker();
    const agent = connect(broker, clientOf('a.test'));
    const controller = attach(broker);

    controller.say({ ...request, data: 'x'.repeat(32_000_000) });

    expect(agent.wire.sent).toEqual([]);
    expect(controller.heard[0]?.['data']).toMatch(/^Message of 320\d+ bytes is too large for the client\.$/);
  });
});

describe('A client of version 1', () => {
  const request = {
    id,
    messageType: `${prefix}associate_request`,
    targets: ['pcp:///server'],
    sender: 'pcp://a.test/agent',
  };
  const frame = (message: Message) => codecV1.encode(message) as Buffer;

  test('is there when it has asked for an association, and nothing that it sends before is passed on', () => {
    const broker = createBroker();
    const controller = attach(broker);
    const agent = connect(broker, clientOf('a.test', 'agent', codecV1));
    const say = () =>
      agent.sayFrame(frame({ ...request, messageType: `${prefix}x`, targets: [controllerUri] }));
    const isThere = () => {
      controller.say({ message_type: `${prefix}inventory_request`, data: { query: ['pcp://*/*'] } });
      return JSON.stringify(controller.heard.at(-1)?.['data']) === '{"uris":["pcp://a.test/agent"]}';
    };

    say();
    const before = isThere();
    agent.sayFrame(frame(request));
    agent.sayFrame(frame(request));
    say();

    expect([before, isThere()]).toEqual([false, true]);
    expect(agent.heard.map(({ data, messageType }) => [messageType, data])).toEqual(
      Array(2).fill([`${prefix}associate_response`, { id, success: true }]),
    );
    expect(controller.heard.filter((message) => message['message_type'] === `${prefix}x`)).toHaveLength(1);
  });

  test.each([
    ['another name', 'pcp://b.test/agent', 'Message not authenticated.'],
    ['another type', 'pcp://a.test/tool', 'Session already associated.'],
  ])('is refused under %s, and closed', (_case, sender, reason) => {
    const agent = connect(createBroker(), clientOf('a.test', 'agent', codecV1));

    agent.sayFrame(frame({ ...request, sender }));

    expect(agent.heard[0]?.data).toEqual({ id, success: false, reason });
    expect(agent.wire.ended).toBe('4002 Association unsuccessful.');
  });
});

describe('A connection', () => {
  const identity = clientOf('a.test').identity;
  const refusal = (broker: Broker, client = clientOf('a.test')) => {
    const found = broker.refusal(client.identity, client);
    return found && `${found.kind === 'http' ? found.status : found.code} ${found.text}`;
  };

  test('is refused without a certificate, as a server, by rules, and when there are too many', () => {
    const broker = createBroker({ maxConnections: 1 });
    const strict = createBroker({
      rules: new MessageRules({
        allowHeaderCertInfo: false,
        rules: [
          {
            name: 'none',
            sortOrder: 1,
            path: { kind: 'path', prefix: '/pcp-broker/send' },
            access: { kind: 'entries', deny: [], allow: [] },
          },
        ],
      }),
    });

    expect(broker.refusal(undefined, undefined)).toEqual({
      kind: 'close',
      code: 4003,
      text: 'No client certificate.',
    });
    expect(refusal(broker)).toBeUndefined();
    expect(refusal(broker, clientOf('a.test', 'server'))).toBe('4002 Association unsuccessful.');
    expect(refusal(strict)).toBe('4002 Association unsuccessful.');
    connect(broker, clientOf('b.test'));
    expect(refusal(broker)).toBe('503 Connection limit exceeded.');
    broker.stop();
    expect(refusal(broker)).toBe('503 Broker is not running.');
    expect(identity.certname).toBe('a.test');
  });

  test('ends after a time without a byte', async () => {
    vi.useFakeTimers();
    const broker = createBroker({ idleTimeoutMs: 360_000 });
    const silent = connect(broker, clientOf('a.test'));
    const pinging = connect(broker, clientOf('b.test'));

    for (let minute = 0; minute < 7; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      pinging.wire.receivedBytes += 6;
    }

    expect([silent.wire.ended, pinging.wire.ended]).toEqual(['1001 Idle Timeout', undefined]);
  });

  test('of a client that reads nothing is cut off before it takes all memory', () => {
    const broker = createBroker();
    const agent = connect(broker, clientOf('a.test'));
    const controller = attach(broker);

    agent.wire.bufferedBytes = 130 * 1024 * 1024;
    controller.say({ message_type: `${prefix}rpc_blocking_request`, target: 'pcp://a.test/agent', data: 1 });

    expect(agent.wire.ended).toBe('cut');
    expect(controller.heard[0]?.['data']).toBe('Not connected.');
  });
});

describe('A broker with controllers', () => {
  const isOpen = (broker: Broker) => broker.refusal(clientOf('n').identity, clientOf('n')) === undefined;

  test('is closed until one is connected, and again at once when all are lost; clients stay for a while', async () => {
    vi.useFakeTimers();
    const broker = createBroker({ expectsControllers: true });
    const states: unknown[] = [broker.state, isOpen(broker)];

    const controller = attach(broker);
    states.push(broker.state, isOpen(broker));
    const agent = connect(broker, clientOf('a.test'));
    controller.lost();
    states.push(broker.state, isOpen(broker));
    await vi.advanceTimersByTimeAsync(89_000);
    states.push(agent.wire.ended);
    await vi.advanceTimersByTimeAsync(2000);
    states.push(agent.wire.ended);
    attach(broker);
    states.push(broker.state, isOpen(broker));

    expect(states).toEqual([
      'starting',
      false,
      'running',
      true,
      'error',
      false,
      undefined,
      '1011 All controllers disconnected.',
      'running',
      true,
    ]);
  });

  test('keeps its clients when a controller is back in time, and those that it has not sent away yet', async () => {
    vi.useFakeTimers();
    const broker = createBroker({ expectsControllers: true });
    const agents = Array.from({ length: 300 }, (_, index) => connect(broker, clientOf(`a${index}.test`)));
    const gone = () => agents.filter(({ wire }) => wire.ended !== undefined).length;

    attach(broker).lost();
    await vi.advanceTimersByTimeAsync(80_000);
    const second = attach(broker);
    await vi.advanceTimersByTimeAsync(80_000);
    const inTime = gone();
    second.lost();
    await vi.advanceTimersByTimeAsync(91_000);
    const sentAway = gone();
    attach(broker);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(inTime).toBe(0);
    // One hundred a second, not all at once.
    expect(sentAway).toBeGreaterThan(90);
    expect(sentAway).toBeLessThan(115);
    expect(gone()).toBeLessThan(sentAway + 6);
  });

  test('sends all clients away when it retires', async () => {
    vi.useFakeTimers();
    const broker = createBroker();
    const agents = Array.from({ length: 1000 }, (_, index) => connect(broker, clientOf(`a${index}.test`)));
    const gone = () => agents.filter(({ wire }) => wire.ended === '1011 Broker is not running.').length;

    const retired = broker.retire(5000);
    await vi.advanceTimersByTimeAsync(2500);
    const half = gone();
    await vi.advanceTimersByTimeAsync(3000);
    await retired;

    expect([half > 400, half < 600, gone(), broker.state]).toEqual([true, true, 1000, 'stopping']);
  });
});
