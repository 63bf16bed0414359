/** Changes that are sent on: to a file, and to receivers of syslog. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Change, changeMigrations } from '../../../platform/changes/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../../platform/storage/index.ts';
import { ActivityStore, ChangeStream, fileSink, parseSyslogAddress, syslogSink } from '../index.ts';

let directory: string;
let database: Database;
let store: ActivityStore;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-activity-'));
  database = await openSqliteDatabase({ path: join(directory, 'state.sqlite') });
  await migrate(database, changeMigrations);
  store = new ActivityStore(database);
});
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

function record(name: string): Promise<void> {
  const change: Change = {
    author: { kind: 'user', id: 'u1', name: 'ada', address: '192.0.2.1' },
    time: new Date('2026-01-02T03:04:05.678Z'),
    object: { service: 'rbac', type: 'users', id: 'u2', name },
    events: [{ action: 'edit', what: 'name', message: `Changed the name\nto "${name}"` }],
    after: { secret: 'value' },
  };
  return store.record(change);
}

const line = (id: number, name: string) => ({
  id,
  time: '2026-01-02T03:04:05.678Z',
  service: 'rbac',
  object: { type: 'users', id: 'u2', name },
  by: { kind: 'user', id: 'u1', name: 'ada' },
  address: '192.0.2.1',
  events: [{ action: 'edit', what: 'name', message: `Changed the name\nto "${name}"` }],
});

/** What a receiver of syslog has got; it can be away. */
class Receiver {
  received = '';
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  constructor() {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('data', (bytes) => (this.received += bytes.toString('utf8')));
      socket.on('error', () => {});
    });
    onTestFinished(() => this.leave());
  }

  async listen(port = 0): Promise<number> {
    await once(this.server.listen(port, '127.0.0.1'), 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  leave(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

test('a file gets a line for each change from then on, without states that may be secret', async () => {
  await record('before');
  const path = join(directory, 'activity.log');
  const stream = new ChangeStream(store, fileSink(path), silentLogger);
  await stream.sendNew();
  await record('é');
  await record('b');
  await stream.sendNew();

  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');

  expect(lines.map((text) => JSON.parse(text) as unknown)).toEqual([line(2, 'é'), line(3, 'b')]);
});

test('a file that was rotated is made anew, and a restart repeats nothing', async () => {
  const path = join(directory, 'activity.log');
  const stream = new ChangeStream(store, fileSink(path), silentLogger);
  await stream.sendNew();
  await record('a');
  await stream.sendNew();
  renameSync(path, `${path}.1`);
  await record('b');
  await new ChangeStream(store, fileSink(path), silentLogger).sendNew();

  expect(readFileSync(path, 'utf8').match(/"name":"[ab]"/g)).toEqual(['"name":"b"']);
});

test('what a place cannot take now it gets later, in order', async () => {
  const path = join(directory, 'missing', 'activity.log');
  const stream = new ChangeStream(store, fileSink(path), silentLogger);
  await stream.sendNew();
  for (const name of ['a', 'b']) await record(name);
  await stream.sendNew();
  mkdirSync(join(directory, 'missing'));
  await stream.sendNew();

  expect(readFileSync(path, 'utf8').match(/"name":"[ab]"/g)).toEqual(['"name":"a"', '"name":"b"']);
});

test('syslog over TCP counts bytes, and goes on when the receiver is back', async () => {
  const first = new Receiver();
  const port = await first.listen();
  const address = { protocol: 'tcp', host: '127.0.0.1', port } as const;
  const stream = new ChangeStream(store, syslogSink(address, 'primary.test'), silentLogger);
  await stream.sendNew();
  await record('é');
  await stream.sendNew();
  await expect.poll(() => first.received).toContain('"name":"é"');
  const [, length = '', message = ''] = /^(\d+) ([^]*)$/.exec(first.received) ?? [];
  expect(Number(length)).toBe(Buffer.byteLength(message));
  expect(message).toMatch(/^<110>1 2026-01-02T03:04:05\.678Z primary\.test bunraku \d+ rbac - \{"id":1,/);

  first.leave();
  // The connection has ended by the time that there is something to say.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await record('away');
  await stream.sendNew();
  expect(await store.streamPosition(`syslog:tcp://127.0.0.1:${port}`)).toBe(1);

  const second = new Receiver();
  await second.listen(port);
  await record('back');
  await stream.sendNew();
  await expect.poll(() => second.received).toMatch(/"name":"away"[^]*"name":"back"/);
  stream.close();
});

test('syslog over UDP is one packet for each change', async () => {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  const packets: string[] = [];
  socket.on('message', (bytes) => packets.push(bytes.toString('utf8')));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const address = { protocol: 'udp', host: '127.0.0.1', port: socket.address().port } as const;
  const stream = new ChangeStream(store, syslogSink(address, 'primary.test'), silentLogger);
  await stream.sendNew();
  for (const name of ['a', 'b']) await record(name);

  await stream.sendNew();

  await expect.poll(() => packets.length).toBe(2);
  expect(packets[1]).toContain('"name":"b"');
});

test.each([
  ['tcp://siem.example.com:6514', { protocol: 'tcp', host: 'siem.example.com', port: 6514 }],
  ['tcp://siem', { protocol: 'tcp', host: 'siem', port: 601 }],
  ['udp://192.0.2.1', { protocol: 'udp', host: '192.0.2.1', port: 514 }],
  ['udp://[2001:db8::1]:5514', { protocol: 'udp', host: '2001:db8::1', port: 5514 }],
  ['siem.example.com', undefined],
  ['http://siem', undefined],
  ['tcp://siem:99999', undefined],
])('the address %s', (text, expected) => {
  expect(parseSyslogAddress(text)).toEqual(expected);
});
