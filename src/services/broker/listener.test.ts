import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OpensslAuthority, type TestCertificate } from '../../../test/support/openssl-authority.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { decodeRevocationLists } from '../../platform/x509/index.ts';
import { Broker, type BrokerOptions } from './broker.ts';
import { BrokerListener } from './listener.ts';
import { codecV2 } from './messages/codec-v2.ts';
import { messageTypes } from './messages/message.ts';
import { MessageRules } from './rules.ts';

const name = 'agent01.example.vm';
let authority: OpensslAuthority;
let server: TestCertificate;
let agent: TestCertificate;
const soon = { timeout: 10_000, interval: 2 };
const ends: (() => unknown)[] = [];

beforeAll(() => {
  authority = new OpensslAuthority('Puppet CA');
  server = authority.issue('localhost', ['subjectAltName=DNS:localhost']);
  agent = authority.issue(name);
  return () => authority.remove();
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Entry {
  readonly dir?: string;
  readonly layer?: string;
  readonly conn?: number;
  readonly raw?: string;
  readonly opcode?: string;
  readonly header_hex?: string;
  readonly length?: number;
  readonly message?: unknown;
  readonly text?: string;
  readonly payload_hex?: string;
}

function recording(file: string): readonly Entry[] {
  const path = new URL(`../../../test/recorded/pcp/${file}.json`, import.meta.url);
  const { steps } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly steps: readonly { readonly entries: readonly Entry[] }[];
  };
  return steps.flatMap(({ entries }) => entries);
}

async function start(options: Partial<BrokerOptions> = {}) {
  const rules = new MessageRules({ rules: [], allowHeaderCertInfo: false });
  const broker = new Broker({
    rules,
    log: silentLogger,
    maxConnections: 0,
    messagesPerSecond: 1000,
    idleTimeoutMs: 360_000,
    expectsControllers: false,
    controllerGraceMs: 90_000,
    nowMs: Date.now,
    ...options,
  });
  const listener = new BrokerListener({
    broker,
    tls: { ...server, ca: authority.certificate, crl: authority.crl() },
    log: silentLogger,
    maxMessageBytes: 64 * 1024 * 1024,
    connectionsPerSecond: 1000,
  });
  broker.start();
  const port = await listener.listen(0, '127.0.0.1');
  ends.push(
    () => listener.close(1000),
    () => broker.stop(),
  );
  const toController: string[] = [];
  const controller = broker.attach({
    uri: 'pcp://mom.example.vm:8143/server',
    aliases: [],
    bufferedBytes: 0,
    send: (text) => void toController.push(text),
  });
  return { broker, listener, port, controller, toController };
}

/** The agent's side of a connection: bytes as they are. */
class RawAgent {
  readonly socket: TLSSocket;
  private received = Buffer.alloc(0);

  constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => (this.received = Buffer.concat([this.received, bytes])));
    socket.on('error', () => {
      // The broker cut it off.
    });
    ends.push(() => socket.destroy());
  }

  static connect(port: number, certificate: TestCertificate | undefined, options = {}): Promise<RawAgent> {
    return new Promise((resolve, reject) => {
      const socket = connectTls(
        {
          port,
          host: '127.0.0.1',
          servername: 'localhost',
          ca: authority.certificate,
          maxVersion: 'TLSv1.2',
          ...(certificate && { cert: certificate.certificate, key: certificate.privateKey }),
          ...options,
        },
        () => resolve(new RawAgent(socket)),
      );
      socket.once('error', reject);
    });
  }

  write(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  async head(): Promise<string> {
    await expect.poll(() => this.received.includes('\r\n\r\n'), soon).toBe(true);
    const end = this.received.indexOf('\r\n\r\n') + 4;
    const head = this.received.subarray(0, end).toString('latin1');
    this.received = this.received.subarray(end);
    return head;
  }

  async take(bytes: number): Promise<Buffer> {
    await expect.poll(() => this.received.length, soon).toBeGreaterThanOrEqual(bytes);
    const taken = this.received.subarray(0, bytes);
    this.received = this.received.subarray(bytes);
    return taken;
  }

  get hasEnded(): boolean {
    return (this.socket as Socket).destroyed;
  }
}

const upgrade = (path: string) =>
  `GET ${path} HTTP/1.1\r\nConnection: Upgrade\r\nHost: localhost\r\nSec-WebSocket-Key: 1Jl4UeC/5f3Qsr6kU7rooA==\r\n` +
  'Sec-WebSocket-Version: 13\r\nUpgrade: websocket\r\nUser-Agent: WebSocket++/0.8.2\r\n\r\n';

function payloadOf({ message, payload_hex: hex, text }: Entry): Buffer {
  return hex === undefined ? Buffer.from(text ?? JSON.stringify(message)) : Buffer.from(hex, 'hex');
}

/** As it was on the wire. */
function frameOf(entry: Entry): Buffer {
  const header = Buffer.from(entry.header_hex ?? '', 'hex');
  const payload = payloadOf(entry);
  if ((header.readUInt8(1) & 0x80) === 0) return Buffer.concat([header, payload]);
  const mask = header.subarray(-4);
  return Buffer.concat([header, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

/** Frames that are in the recording as they were. */
function isWhole(entry: Entry): boolean {
  return entry.header_hex !== undefined && payloadOf(entry).length === entry.length;
}

describe('The conversation of a real agent', () => {
  test.each([
    'v2-connect',
    'v2-blocking',
    'v2-command',
    'v2-task',
    'v2-script-file-apply',
    'v2-lost-connection',
  ])('in %s goes the same way', async (file) => {
    const { controller, port, toController } = await start();
    const agents = new Map<number, RawAgent>();
    let sent = 0;
    let received = 0;

    for (const entry of recording(file)) {
      const { conn = 0, dir, layer, opcode } = entry;
      const found = agents.get(conn);
      if (layer === 'http' && dir === 'agent->broker') {
        const fresh = await RawAgent.connect(port, agent);
        fresh.write(entry.raw ?? '');
        agents.set(conn, fresh);
      } else if (layer === 'http' && dir === 'broker->agent') {
        // Members in another order mean the same.
        expect((await found?.head())?.split('\r\n').toSorted()).toEqual(entry.raw?.split('\r\n').toSorted());
      } else if (layer !== 'ws' || found === undefined || !isWhole(entry)) continue;
      else if (opcode === 'ping' && dir === 'agent->broker') found.write(frameOf(entry));
      else if (opcode === 'pong' && dir === 'broker->agent')
        expect(await found.take(frameOf(entry).length)).toEqual(frameOf(entry));
      else if (opcode === 'text' && dir === 'broker->agent') {
        const message = codecV2.decode(payloadOf(entry).toString());
        const isOfController =
          message?.sender === 'pcp://mom.example.vm:8143/server' &&
          message.targets[0] === `pcp://${name}/agent` &&
          (message.messageType === messageTypes.blockingRequest ||
            message.messageType === messageTypes.nonBlockingRequest);
        // What else the recording broker sent (mistakes on purpose) ours never does.
        if (!isOfController) continue;
        controller.message(payloadOf(entry).toString());
        expect(await found.take(frameOf(entry).length)).toEqual(frameOf(entry));
        sent += 1;
      } else if (opcode === 'text' && dir === 'agent->broker') {
        const known = toController.length;
        found.write(frameOf(entry));
        await expect.poll(() => toController.length, soon).toBe(known + 1);
        expect(JSON.parse(toController[known] ?? '')).toEqual(JSON.parse(payloadOf(entry).toString()));
        received += 1;
      }
    }

    if (file !== 'v2-connect') expect([sent > 5, received > 5]).toEqual([true, true]);
  });

  test('of version 1 is associated, and answers in its own words', async () => {
    const { broker, port, toController } = await start();
    const entries = recording('v1-session').filter(({ conn, dir }) => conn === 1 && dir === 'agent->broker');
    const [request] = entries.filter(({ layer }) => layer === 'http');
    const frames = entries.filter(({ opcode }) => opcode === 'binary');
    const old = await RawAgent.connect(port, agent);

    old.write(request?.raw ?? '');
    expect(await old.head()).toMatch(/^HTTP\/1\.1 101/);
    for (const frame of frames) old.write(frameOf(frame));

    expect((await old.take(200)).toString('latin1')).toContain('associate_response');
    await expect.poll(() => toController.length, soon).toBe(frames.length - 1);
    expect(toController.map((text) => (JSON.parse(text) as { readonly sender: string }).sender)).toEqual(
      Array(frames.length - 1).fill(`pcp://${name}/agent`),
    );
    expect(broker.connections).toBe(1);
  });
});

describe('A connection', () => {
  const closeFrame = async (client: RawAgent) => {
    const [, length = 0] = await client.take(2);
    const payload = await client.take(length);
    return `${payload.readUInt16BE(0)} ${payload.subarray(2).toString()}`;
  };

  test('without a certificate is closed with 4003', async () => {
    const { port } = await start();
    const client = await RawAgent.connect(port, undefined);

    client.write(upgrade('/pcp2/agent'));

    expect(await client.head()).toMatch(/^HTTP\/1\.1 101/);
    expect(await closeFrame(client)).toBe('4003 No client certificate.');
  });

  test('as a server is closed with 4002', async () => {
    const { port } = await start();
    const client = await RawAgent.connect(port, agent, { maxVersion: 'TLSv1.3' });

    client.write(upgrade('/pcp2/server'));

    expect(await client.head()).toMatch(/^HTTP\/1\.1 101/);
    expect(await closeFrame(client)).toBe('4002 Association unsuccessful.');
    expect(client.socket.getProtocol()).toBe('TLSv1.3');
  });

  test.each([
    ['/pcp2/agent', '101'],
    ['/pcp2/', '101'],
    ['/pcp2', '101'],
    ['/pcp/', '101'],
    ['/pcp/agent', '101'],
    ['/pcp3/agent', '404'],
    ['/pcp2/agent/more', '404'],
    ['/', '404'],
    ['/pcp2/a%2fb', '400'],
  ])('to %s is answered with %s', async (path, status) => {
    const { port } = await start();
    const client = await RawAgent.connect(port, agent);

    client.write(upgrade(path));

    expect((await client.head()).split(' ')[1]).toBe(status);
  });

  test('to a broker without its controllers is refused before the upgrade', async () => {
    const { broker, controller, port } = await start({ expectsControllers: true });
    controller.lost();
    const client = await RawAgent.connect(port, agent);

    client.write(upgrade('/pcp2/agent'));

    expect(await client.head()).toMatch(/^HTTP\/1\.1 503/);
    expect(broker.state).toBe('error');
  });

  test('ends at once with 1012 when its certificate is revoked, and no other does', async () => {
    const { listener, port } = await start();
    const other = authority.issue('other.example.vm');
    const clients = [await RawAgent.connect(port, agent), await RawAgent.connect(port, other)];
    for (const client of clients) client.write(upgrade('/pcp2/agent'));
    for (const client of clients) expect(await client.head()).toMatch(/101/);

    authority.revoke('other.example.vm');
    listener.setRevocationLists(decodeRevocationLists(authority.crl()));

    const [first, second] = clients as [RawAgent, RawAgent];
    expect(await closeFrame(second)).toBe('1012 CRL reloaded');
    first.write(Buffer.from('898000000000', 'hex'));
    expect((await first.take(2)).toString('hex')).toBe('8a00');
    const again = await RawAgent.connect(port, other);
    again.write(upgrade('/pcp2/agent'));
    expect(await again.head()).toMatch(/^HTTP\/1\.1 403/);
  });

  test('with the same certificate takes the place of the first, which is cut without a close frame', async () => {
    const { broker, port } = await start();
    const first = await RawAgent.connect(port, agent);
    first.write(upgrade('/pcp2/agent'));
    await first.head();
    const second = await RawAgent.connect(port, agent);

    second.write(upgrade('/pcp2/agent'));
    await second.head();

    await expect.poll(() => first.hasEnded).toBe(true);
    await expect(Promise.race([first.take(1), Promise.resolve('nothing')])).resolves.toBe('nothing');
    expect(broker.connections).toBe(1);
  });
});
