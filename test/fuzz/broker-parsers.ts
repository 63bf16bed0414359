/** What brokers read of their clients, and what orchestrators read of brokers. */

import { readFileSync } from 'node:fs';
import { silentLogger } from '../../src/platform/log/index.ts';
import { Broker } from '../../src/services/broker/broker.ts';
import { AgentController } from '../../src/services/broker/controller/agent-controller.ts';
import { codecV1 } from '../../src/services/broker/messages/codec-v1.ts';
import { codecV2 } from '../../src/services/broker/messages/codec-v2.ts';
import type { Codec } from '../../src/services/broker/messages/message.ts';
import { MessageRules } from '../../src/services/broker/rules.ts';
import type { Parser } from './fuzz.ts';
import { jsonWords } from './words.ts';

const words = [
  ...jsonWords,
  'pcp://',
  '/agent',
  '/server',
  'pcp:///server',
  'pcp://*/*',
  'in_reply_to',
  'message_type',
  'http://puppetlabs.com/',
  'inventory_request',
  'associate_request',
] as const;

const certname = 'agent01.example.vm';
const uri = `pcp://${certname}/agent`;
const id = '98681863-25fc-47f5-8bb6-a55f6bf39635';
const prefix = 'http://puppetlabs.com/';

interface Frame {
  readonly dir?: string;
  readonly message?: unknown;
  readonly payload_hex?: string;
  readonly opcode?: string;
}

function recorded(file: string): readonly Frame[] {
  const path = new URL(`../recorded/pcp/${file}.json`, import.meta.url);
  const { steps } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly steps: readonly { readonly entries: readonly Frame[] }[];
  };
  return steps.flatMap(({ entries }) => entries).filter(({ dir }) => dir === 'agent->broker');
}

const v2 = recorded('v2-command').flatMap(({ message }) =>
  message === undefined ? [] : [JSON.stringify(message)],
);
const v1 = recorded('v1-session').flatMap(({ opcode, payload_hex: hex = '' }) =>
  opcode === 'binary' ? [Buffer.from(hex, 'hex')] : [],
);
const inventoryRequest = JSON.stringify({
  id,
  message_type: `${prefix}inventory_request`,
  sender: uri,
  target: 'pcp:///server',
  data: { query: ['pcp://*/agent'], subscribe: true },
});

/** What the broker itself says to an orchestrator. */
function ofBroker(type: string, data: unknown): string {
  return JSON.stringify({
    id,
    message_type: `${prefix}${type}`,
    sender: 'pcp:///server',
    in_reply_to: id,
    data,
  });
}

/** A broker that nothing is sent to in earnest: each input comes over a connection of its own. */
function brokerFor(codec: Codec): (input: Buffer) => void {
  const allow = { rules: [], allowHeaderCertInfo: false };
  const broker = new Broker({
    rules: new MessageRules(allow),
    log: silentLogger,
    maxConnections: 0,
    messagesPerSecond: 1_000_000,
    idleTimeoutMs: 360_000,
    expectsControllers: false,
    controllerGraceMs: 90_000,
    nowMs: () => performance.now(),
  });
  broker.stop();
  const controller = broker.attach({
    uri: 'pcp://mom.example.vm:8143/server',
    aliases: [],
    bufferedBytes: 0,
    send: ignore,
  });
  const wire = {
    bufferedBytes: 0,
    receivedBytes: 0,
    send: ignore,
    close: ignore,
    cut: ignore,
    pause: ignore,
    resume: ignore,
  };
  const identity = {
    kind: 'certificate',
    certname,
    extensions: {},
    serial: '1',
    raw: Buffer.alloc(0),
    address: '',
  } as const;
  return (input) => {
    const client = { identity, uri, codec, isAssociatedAtOnce: true };
    const events = broker.connect(client, wire);
    events.message(codec === codecV2 ? input.toString('utf8') : input);
    controller.message(input.toString('utf8'));
    events.closed(1000, '');
  };
}

function ignore(): void {
  // goes nowhere
}

const toController = new AgentController({ log: silentLogger, now: () => new Date(0) }).addBroker({
  uri: 'pcp://compile1.example.vm/server',
  send: ignore,
});

export const brokerParsers: readonly Parser[] = [
  {
    name: 'PCP 2 at a broker',
    seeds: [inventoryRequest, ...v2],
    words,
    isJson: true,
    refusals: [],
    parse: brokerFor(codecV2),
  },
  {
    name: 'PCP 1 at a broker',
    seeds: [codecV1.encode({ id, messageType: `${prefix}x`, targets: [uri] }), ...v1],
    words,
    refusals: [],
    parse: brokerFor(codecV1),
  },
  {
    name: 'PCP 2 of a broker',
    // Most of the broker itself: agents' messages are passed on as they are.
    seeds: [
      ofBroker('inventory_update', { changes: [1, -1].map((change) => ({ client: uri, change })) }),
      ofBroker('inventory_update', null),
      ofBroker('inventory_response', { uris: [uri, 'pcp://agent02.example.vm/agent'] }),
      ofBroker('inventory_response', null),
      ofBroker('error_message', 'not connected'),
      ofBroker('error_message', null),
      ...v2.slice(0, 2),
    ],
    words,
    isJson: true,
    refusals: [],
    parse: (input) => toController.message(input.toString('utf8')),
  },
];
