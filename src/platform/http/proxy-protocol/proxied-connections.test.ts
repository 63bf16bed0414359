/** Connections that a proxy passes on, on a port with TLS and on one without. */

import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { OpensslAuthority, type TestCertificate } from '../../../../test/support/openssl-authority.ts';
import { whoRoute } from '../../../../test/support/who-route.ts';
import { silentLogger } from '../../log/index.ts';
import { TrustedProxies } from '../identity/trusted-proxies.ts';
import { createHttpServer, defaultRules, type HttpServer } from '../index.ts';

let authority: OpensslAuthority;
let certificate: TestCertificate;
beforeAll(() => {
  authority = new OpensslAuthority('Puppet CA: test');
  certificate = authority.issue('localhost');
});
afterAll(() => authority.remove());

const servers: HttpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.drain(0);
});

/** Answers with the client's address and what it is known by. */
async function serve(kind: 'tls' | 'plain', trusted = ['127.0.0.1'], limits = {}): Promise<number> {
  const server = createHttpServer({
    routes: [whoRoute],
    authorization: { rules: defaultRules, allowHeaderCertInfo: true },
    ...(kind === 'tls' ? { tls: { ...certificate, ca: authority.certificate, crl: authority.crl() } } : {}),
    trustedProxies: new TrustedProxies(trusted),
    limits,
    log: silentLogger,
  });
  servers.push(server);
  return server.listen(0, '127.0.0.1');
}

const claim = 'X-Client-Verify: SUCCESS\r\nX-Client-DN: CN=forged\r\n';
const question = (more = '') => `GET /who HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`;
const line = 'PROXY TCP4 192.0.2.7 192.0.2.2 56324 8140\r\n';
const binary = Buffer.from('0d0a0d0a000d0a515549540a2111000cc0000207c0000202dc041fcc', 'hex');

/** @returns the body of the answer; what came before the end without one */
function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (part: Buffer) => {
      text += part.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text.split('\r\n\r\n')[1] ?? text));
  });
}

async function askPlainly(port: number, header: string | Buffer, more = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const answer = answerOf(socket);
  socket.write(Buffer.concat([Buffer.from(header), Buffer.from(question(more))]));
  return answer;
}

async function askOverTls(port: number, header: string | Buffer, more = ''): Promise<string> {
  const below = connect(port, '127.0.0.1');
  await new Promise((resolve) => below.once('connect', resolve));
  if (header.length > 0) below.write(header);
  const socket = connectTls({ socket: below, servername: 'localhost', ca: authority.certificate });
  const answer = answerOf(socket);
  socket.write(question(more));
  return answer;
}

const ways = [
  ['tls', askOverTls],
  ['plain', askPlainly],
] as const;

test.each(ways)('%s: the address is the one in the header', async (kind, ask) => {
  const port = await serve(kind);

  expect(await ask(port, line)).toMatch(/^192\.0\.2\.7 anonymous/);
  expect(await ask(port, binary)).toMatch(/^192\.0\.2\.7 anonymous/);
});

test.each(ways)(
  '%s: a trusted proxy that sends none, or speaks for itself, is served as well',
  async (kind, ask) => {
    const port = await serve(kind);

    expect(await ask(port, '')).toMatch(/^127\.0\.0\.1 anonymous/);
    expect(await ask(port, 'PROXY UNKNOWN\r\n')).toMatch(/^127\.0\.0\.1 anonymous/);
  },
);

test.each(ways)('%s: from others the header is the garbage that it is', async (kind, ask) => {
  const port = await serve(kind, ['198.51.100.1']);

  expect(await ask(port, line)).not.toContain('192.0.2.7');
  expect(await ask(port, '')).toMatch(/^127\.0\.0\.1 anonymous/);
});

test('a proxy that ends TLS says who the client is; one that passes TLS on does not', async () => {
  expect(await askPlainly(await serve('plain'), line, claim)).toMatch(/^192\.0\.2\.7 forged/);
  expect(await askOverTls(await serve('tls'), line, claim)).toMatch(/^192\.0\.2\.7 anonymous/);
});

test.each(['tls', 'plain'] as const)('%s: byte for byte, the header is read as well', async (kind) => {
  const socket = connect(await serve(kind), '127.0.0.1');
  const answer = answerOf(socket);
  socket.setNoDelay(true);
  for (const byte of Buffer.from(line)) {
    await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (kind === 'tls') {
    const secure = connectTls({ socket, servername: 'localhost', ca: authority.certificate });
    const secureAnswer = answerOf(secure);
    secure.write(question());
    expect(await secureAnswer).toMatch(/^192\.0\.2\.7/);
  } else {
    socket.write(question());
    expect(await answer).toMatch(/^192\.0\.2\.7/);
  }
});

test.each(['tls', 'plain'] as const)(
  '%s: a damaged or unfinished header ends its connection alone',
  async (kind) => {
    // Enough for the handshake of the client that is served, on a machine that is busy.
    const port = await serve(kind, ['127.0.0.1'], { handshakeTimeoutMs: 1000 });
    const damaged = connect(port, '127.0.0.1');
    const silent = connect(port, '127.0.0.1');
    const answers = Promise.all([answerOf(damaged), answerOf(silent)]);
    damaged.write(`PROXY TCP4 ${'9'.repeat(200)}`);
    silent.write('PROXY TCP4 192.0');

    expect(await answers).toEqual(['', '']);
    const ask = kind === 'tls' ? askOverTls : askPlainly;
    expect(await ask(port, line)).toMatch(/^192\.0\.2\.7/);
  },
);
