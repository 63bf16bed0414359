import { expect, test } from 'vitest';
import { silentLogger } from '../../../platform/log/index.ts';
import { AgentController } from './agent-controller.ts';

const prefix = 'http://puppetlabs.com/';
const id = '98681863-25fc-47f5-8bb6-a55f6bf39635';

function start() {
  const controller = new AgentController({ log: silentLogger, now: () => new Date(0) });
  const events: string[] = [];
  controller.listen({
    message: (certname, { data, inReplyTo, messageType }) =>
      void events.push(`${certname} says ${messageType} ${JSON.stringify(data)} ${inReplyTo ?? ''}`.trim()),
    connected: (certname, broker) => void events.push(`${certname} at ${broker}`),
    lost: (certname) => void events.push(`${certname} lost`),
  });
  return { controller, events };
}

function addBroker(controller: AgentController, name: string) {
  const sent: Readonly<Record<string, unknown>>[] = [];
  const uri = `pcp://${name}/server`;
  const link = controller.addBroker({ uri, send: (text) => void sent.push(JSON.parse(text) as never) });
  const say = (type: string, data: unknown, more: object = {}): void =>
    void link.message(
      JSON.stringify({ id, message_type: `${prefix}${type}`, sender: 'pcp:///server', data, ...more }),
    );
  return { sent, uri, lost: () => link.lost(), say };
}

const agent = (name: string) => `pcp://${name}/agent`;

test('A broker is asked for its agents, and tells of changes', () => {
  const { controller, events } = start();
  const broker = addBroker(controller, 'c1.test');

  broker.say('inventory_response', { uris: [agent('a.test'), 'pcp://a.test/tool'] });
  broker.say('inventory_update', {
    changes: [
      { client: agent('b.test'), change: 1 },
      { client: agent('a.test'), change: -1 },
    ],
  });

  expect(broker.sent).toMatchObject([
    { message_type: `${prefix}inventory_request`, data: { query: ['pcp://*/agent'], subscribe: true } },
  ]);
  expect(events).toEqual([`a.test at ${broker.uri}`, `b.test at ${broker.uri}`, 'a.test lost']);
  expect(controller.connection('a.test')).toBeUndefined();
  expect(controller.connection('b.test')).toEqual({ broker: broker.uri, since: new Date(0) });
  expect([...controller.connections()]).toEqual([
    { certname: 'b.test', broker: broker.uri, since: new Date(0) },
  ]);
});

test.each([
  ['inventory_update', { changes: [null] }],
  ['inventory_update', { changes: [{ client: agent('a.test'), change: '-1' }] }],
  ['inventory_update', null],
  ['inventory_response', { uris: [agent('b.test'), 1] }],
  ['inventory_response', null],
])('%s with %j changes nothing', (type, data) => {
  const { controller, events } = start();
  const broker = addBroker(controller, 'c1.test');
  broker.say('inventory_response', { uris: [agent('a.test')] });

  broker.say(type, data);

  expect(events).toEqual([`a.test at ${broker.uri}`]);
});

test('A message goes over the broker that has had the agent last, and over none when there is none', async () => {
  const { controller, events } = start();
  const [first, second] = [addBroker(controller, 'c1.test'), addBroker(controller, 'c2.test')];
  first.say('inventory_response', { uris: [agent('a.test')] });

  second.say('inventory_update', { changes: [{ client: agent('a.test'), change: 1 }] });
  const sent = await controller.send('a.test', `${prefix}rpc_blocking_request`, { module: 'ping' });
  first.say('inventory_update', { changes: [{ client: agent('a.test'), change: -1 }] });
  second.lost();

  expect(sent).toBe('sent');
  expect(first.sent).toHaveLength(1);
  expect(second.sent[1]).toMatchObject({
    message_type: `${prefix}rpc_blocking_request`,
    target: agent('a.test'),
    data: { module: 'ping' },
  });
  expect(second.sent[1]).not.toHaveProperty('sender');
  expect(events).toEqual([`a.test at ${first.uri}`, `a.test at ${second.uri}`, 'a.test lost']);
  await expect(controller.send('a.test', 'x', null)).resolves.toBe('not-connected');
});

test('An agent that has come again to the same broker is told of once more', () => {
  const { controller, events } = start();
  const broker = addBroker(controller, 'c1.test');
  broker.say('inventory_response', { uris: [agent('a.test')] });

  broker.say('inventory_update', { changes: [{ client: agent('a.test'), change: 1 }] });

  expect(events).toEqual([`a.test at ${broker.uri}`, `a.test at ${broker.uri}`]);
});

test('Agents of a lost broker are expected back for a while, those that leave are not', () => {
  let nowMs = 0;
  const controller = new AgentController({ log: silentLogger, now: () => new Date(nowMs) });
  const [first, second] = [addBroker(controller, 'c1.test'), addBroker(controller, 'c2.test')];
  first.say('inventory_response', { uris: [agent('a.test'), agent('b.test'), agent('gone.test')] });
  first.say('inventory_update', { changes: [{ client: agent('gone.test'), change: -1 }] });
  const expected = () =>
    ['a.test', 'b.test', 'gone.test'].map((name) => controller.expectedUntil(name)?.getTime());

  first.lost();

  expect(expected()).toEqual([180_000, 180_000, undefined]);
  second.say('inventory_update', { changes: [{ client: agent('a.test'), change: 1 }] });
  expect(expected()).toEqual([undefined, 180_000, undefined]);
  nowMs = 180_000;
  expect(expected()).toEqual([undefined, undefined, undefined]);
});

test('An agent that has left before its message came counts as lost at once', async () => {
  const { controller, events } = start();
  const broker = addBroker(controller, 'c1.test');
  broker.say('inventory_response', { uris: [agent('a.test'), agent('b.test')] });

  await controller.send('a.test', 'x', 1);
  broker.say('error_message', 'Not connected.', { in_reply_to: broker.sent[1]?.['id'] });

  expect(events.at(-1)).toBe('a.test lost');
  expect(controller.connection('b.test')).toBeDefined();
});

test('What agents say is told with their names, over whichever broker it comes', () => {
  const { controller, events } = start();
  const broker = addBroker(controller, 'c1.test');

  broker.say('rpc_provisional_response', { transaction_id: '1' }, { sender: agent('a.test') });
  broker.say('error_message', 'no data', { sender: agent('a.test'), in_reply_to: '2' });
  broker.say('rpc_blocking_response', undefined, { sender: 'nonsense' });

  expect(events).toEqual([
    `a.test says ${prefix}rpc_provisional_response {"transaction_id":"1"}`,
    `a.test says ${prefix}error_message "no data" 2`,
  ]);
});

test('A broker that connects again keeps its agents, and the old connection says nothing any more', () => {
  const { controller, events } = start();
  const before = addBroker(controller, 'c1.test');
  before.say('inventory_response', { uris: [agent('a.test'), agent('b.test')] });

  const after = addBroker(controller, 'c1.test');
  before.say('inventory_update', { changes: [{ client: agent('a.test'), change: -1 }] });
  before.lost();
  after.say('inventory_response', { uris: [agent('a.test')] });

  expect(events).toEqual([`a.test at ${before.uri}`, `b.test at ${before.uri}`, 'b.test lost']);
  expect(controller.brokerUris).toEqual([after.uri]);
});

test.each([[null], [{}], [{ uris: 'x' }], [{ uris: [1, null] }], [{ changes: [{}] }]])(
  'A broker that sends %j as its inventory has no agents',
  (data) => {
    const { controller, events } = start();
    const broker = addBroker(controller, 'c1.test');

    broker.say('inventory_response', data);
    broker.say('inventory_update', data);

    expect(events).toEqual([]);
  },
);

test('Large answers of agents are read in a thread, and messages of brokers keep their order', async () => {
  const texts: string[] = [];
  const controller = new AgentController({
    log: silentLogger,
    now: () => new Date(0),
    large: {
      async read(bytes) {
        texts.push(Buffer.from(bytes).toString());
        await Promise.resolve();
        if (texts.length === 2) throw new Error('its thread has ended');
        const message = { id, messageType: 'x', data: null, read: 'read' };
        return { certname: 'a.test', message };
      },
    },
  });
  const heard: unknown[] = [];
  controller.listen({
    message: (certname, { data, read }) => void heard.push([certname, read ?? data]),
    connected: (certname) => void heard.push(certname),
    lost: () => undefined,
  });
  const uri = 'pcp://c1.test/server';
  const link = controller.addBroker({ uri, send: () => undefined });
  const say = (type: string, data: unknown, sender = agent('a.test')) => {
    const text = JSON.stringify({ id, message_type: `${prefix}${type}`, sender, data });
    return { text, reading: link.message(text) };
  };
  const names = Array.from({ length: 20_000 }, (_, index) => agent(`n${index}.test`));

  const first = say('rpc_non_blocking_response', 'x'.repeat(300_000));
  const inventory = say('inventory_response', { uris: names }, 'pcp:///server');
  const small = say('rpc_non_blocking_response', 'small');
  await first.reading;
  const lost = say('rpc_blocking_response', 'y'.repeat(300_000));
  await lost.reading;

  expect(inventory.text.length).toBeGreaterThan(300_000);
  expect([inventory.reading, small.reading]).toEqual([undefined, undefined]);
  expect(texts).toEqual([first.text, lost.text]);
  expect(heard).toHaveLength(names.length + 2);
  expect(heard.slice(-2)).toEqual([
    ['a.test', 'small'],
    ['a.test', 'read'],
  ]);
});
