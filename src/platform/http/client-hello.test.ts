import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { awaitClientHello } from './client-hello.ts';

const message = Buffer.concat([Buffer.from([1, 0, 0, 100]), Buffer.alloc(100, 7)]);
const record = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([22, 3, 1, bytes.length >> 8, bytes.length & 0xff]), bytes]);
const whole = record(message);
const inTwoRecords = Buffer.concat([record(message.subarray(0, 2)), record(message.subarray(2))]);

const close: (() => void)[] = [];
afterEach(() => {
  for (const each of close.splice(0)) each();
});

/** @returns both ends of a connection */
async function connected(): Promise<{ readonly client: Socket; readonly accepted: Socket }> {
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  const [accepted] = (await once(server, 'connection')) as [Socket];
  close.push(() => {
    client.destroy();
    accepted.destroy();
    server.close();
  });
  return { client, accepted };
}

test.each([
  ['one record', whole],
  ['two records', inTwoRecords],
])('a hello in %s is awaited to its last byte and left to be read again', async (_, hello) => {
  const { accepted, client } = await connected();
  const onHello = vi.fn();

  awaitClientHello(accepted, 10_000, onHello);
  for (const byte of hello.subarray(0, -1)) client.write(Buffer.from([byte]));
  await vi.waitFor(() => expect(accepted.bytesRead).toBe(hello.length - 1));
  const callsBefore = onHello.mock.calls.length;
  client.write(hello.subarray(-1));
  await vi.waitFor(() => expect(onHello).toHaveBeenCalledOnce());

  expect(callsBefore).toBe(0);
  expect(accepted.read()).toEqual(hello);
});

test('bytes that are no hello are passed on at once', async () => {
  const { accepted, client } = await connected();
  const onHello = vi.fn();

  awaitClientHello(accepted, 10_000, onHello);
  client.write('GET / HTTP/1.1\r\n');

  await vi.waitFor(() => expect(onHello).toHaveBeenCalledOnce());
});

test.each([
  ['half closed', (client: Socket) => client.end(), 10_000],
  ['left', (client: Socket) => client.destroy(), 10_000],
  ['slow', (client: Socket) => client.write(whole.subarray(0, 20)), 50],
])('a client that is %s is let go', async (_, act, timeoutMs) => {
  const { accepted, client } = await connected();
  const onHello = vi.fn();

  awaitClientHello(accepted, timeoutMs, onHello);
  act(client);

  await vi.waitFor(() => expect(accepted.destroyed).toBe(true));
  expect(onHello).not.toHaveBeenCalled();
});
