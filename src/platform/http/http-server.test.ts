import { type EventEmitter, once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { connect as connectPlain, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { OpensslAuthority, type TestCertificate } from '../../../test/support/openssl-authority.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { LogFields, Logger } from '../log/index.ts';
import {
  createHttpServer,
  defaultRules,
  type HttpServer,
  type HttpServerOptions,
  type Route,
  route,
  TrustedProxies,
} from './index.ts';

interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly text: string;
}

interface Call {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer | string;
  readonly client?: TestCertificate;
  readonly agent?: Agent;
}

const long = 'x'.repeat(5000);
const disposable: Buffer[] = [];
let authority: OpensslAuthority;
let stranger: OpensslAuthority;
let serverCertificate: TestCertificate;
let agent1: TestCertificate;
let servers: HttpServer[] = [];
let lines: { level: string; fields: LogFields; message: string }[] = [];

const routes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/status/v1/simple',
    allow: { kind: 'anyone' },
    handle: () => text('running'),
  }),
  route({
    method: 'GET',
    path: '/puppet/v3/node/:certname',
    allow: { kind: 'rules' },
    handle: ({ params, query, identity }) =>
      text(JSON.stringify({ params, query: [...query], identity: who(identity) })),
  }),
  route({
    method: 'PUT',
    path: '/puppet/v3/report/:certname',
    allow: { kind: 'rules' },
    maxBodyBytes: 10_000,
    handle: async ({ body }) => text(`${(await body()).length}`),
  }),
  route({
    method: 'GET',
    path: '/puppet/v3/file_content/*',
    allow: { kind: 'rules' },
    handle: ({ params }) => answerFor(params['*'] ?? ''),
  }),
  route({
    method: 'GET',
    path: '/puppet-ca/v1/certificate/:name',
    allow: { kind: 'rules' },
    handle: () => {
      throw new ServiceError('not-found', 'Could not find certificate x');
    },
  }),
  route({
    method: 'POST',
    path: '/own/v1/thing',
    allow: { kind: 'extension', name: 'pp_role', value: 'compile' },
    handle: () => {
      throw new ServiceError('conflict', 'no', { kind: 'own/conflict', details: { a: 1 } });
    },
  }),
];

function who(identity: { kind: string; certname?: string }): string {
  return identity.certname ?? identity.kind;
}

function text(body: string): { status: number; headers: OutgoingHttpHeaders; body: string } {
  return { status: 200, headers: { 'Content-Type': 'text/plain;charset=utf-8' }, body };
}

function disposableBody(text: string): Buffer {
  const body = Buffer.from(new TextEncoder().encode(text).buffer);
  disposable.push(body);
  return body;
}

function answerFor(name: string): ReturnType<Route['handle']> {
  const headers = { 'Content-Type': 'application/octet-stream' };
  if (name === 'long') return text(long);
  if (name === 'disposable')
    return { status: 200, headers, body: disposableBody(long), isBodyDisposable: true };
  if (name === 'large-disposable')
    return { status: 200, headers, body: disposableBody(long.repeat(100)), isBodyDisposable: true };
  if (name === 'stream')
    return { status: 200, headers, body: Readable.from([Buffer.from(long), Buffer.from(long)]) };
  if (name === 'broken') return { status: 200, headers, body: new Readable({ read: breakOff }) };
  if (name === 'bug') throw new TypeError('secret detail');
  if (name === 'unavailable')
    throw new ServiceError('unavailable', 'busy', { details: { retryAfterSeconds: 7 } });
  if (name === 'hang') return new Promise(() => undefined);
  if (name === 'not-modified') return { status: 304 };
  throw new ServiceError('not-found', `Could not find file_content ${name}`);
}

function breakOff(this: Readable): void {
  this.push('partial');
  this.destroy(new Error('disk gone'));
}

function record(level: string) {
  return (fields: LogFields, message: string): void => {
    lines.push({ level, fields, message });
  };
}

const log: Logger = {
  error: record('error'),
  warn: record('warn'),
  info: record('info'),
  debug: record('debug'),
  isWriting: () => true,
  child: () => log,
};

async function start(
  options: Partial<HttpServerOptions> = {},
): Promise<{ server: HttpServer; port: number }> {
  const server = createHttpServer({
    routes,
    authorization: { rules: defaultRules, allowHeaderCertInfo: false },
    tls: { ...serverCertificate, ca: authority.certificate, crl: authority.crl() },
    log,
    ...options,
  });
  servers.push(server);
  return { server, port: await server.listen(0, '127.0.0.1') };
}

function call(port: number, path: string, options: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, client, agent, body } = options;
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers,
        ca: authority.certificate,
        checkServerIdentity: () => undefined,
        ...(client === undefined ? {} : { cert: client.certificate, key: client.privateKey }),
        agent: agent ?? false,
      },
      (message) => void collect(message).then(resolve, reject),
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function collect(message: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const coded = message.headers['content-encoding'] === 'gzip';
  return {
    status: message.statusCode ?? 0,
    reason: message.statusMessage ?? '',
    headers: message.headers,
    bytes,
    text: (coded ? gunzipSync(bytes) : bytes).toString(),
  };
}

async function rawConnection(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    ca: authority.certificate,
    checkServerIdentity: () => undefined,
    ...options,
  });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

function connectionsOf(server: HttpServer): Promise<number> {
  const listening = (server as unknown as { readonly server: Server }).server;
  return new Promise((resolve) => void listening.getConnections((_, count) => resolve(count)));
}

async function received(socket: TLSSocket): Promise<string> {
  let result = '';
  socket.on('data', (chunk: Buffer) => {
    result += chunk.toString();
  });
  await once(socket, 'close');
  return result;
}

function logged(message: string): (typeof lines)[number] | undefined {
  return lines.find((line) => line.message === message);
}

beforeAll(() => {
  authority = new OpensslAuthority('Puppet CA: test');
  stranger = new OpensslAuthority('Puppet CA: other');
  serverCertificate = authority.issue('localhost', ['subjectAltName=DNS:localhost']);
  agent1 = authority.issue('agent1.example.net', ['1.3.6.1.4.1.34380.1.1.13=ASN1:UTF8String:compile']);
});

afterAll(() => {
  authority.remove();
  stranger.remove();
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.drain(0)));
  servers = [];
  lines = [];
});

test('a connection that the system cannot accept does not end the server', async () => {
  const { port, server } = await start();
  const listening = (server as unknown as { readonly server: EventEmitter }).server;

  listening.emit('error', new Error('accept EMFILE'));

  expect(logged('could not accept a connection')).toMatchObject({ level: 'warn' });
  expect((await call(port, '/status/v1/simple')).status).toBe(200);
});

test.each(['/status/v1/../v1/simple', '/status/v1/%2e%2e/v1/simple', '/status//v1/simple', '/no/route/../x'])(
  'a path that two layers could read differently is refused: %s',
  async (path) => {
    const { port } = await start();

    const answer = await call(port, path);

    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/^(Invalid relative path|An empty segment)/);
  },
);

test('requests of one connection are answered one at a time, in their order, and no more is read meanwhile', async () => {
  let begun = 0;
  let answerFirst: () => void = () => undefined;
  const held = route({
    method: 'GET',
    path: '/held/:number',
    allow: { kind: 'anyone' },
    async handle({ params: { number = '' } }) {
      begun += 1;
      if (number === '0')
        await new Promise<void>((resolve) => {
          answerFirst = resolve;
        });
      return text(`<${number}>`);
    },
  });
  const { port } = await start({ routes: [...routes, held] });
  const socket = await rawConnection(port);
  const count = 5000;
  const last = `GET /held/${count - 1} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  const all = Array.from({ length: count - 1 }, (_, n) => `GET /held/${n} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const answers = received(socket);

  socket.write(all.join('') + last);
  await vi.waitFor(() => expect(begun).toBe(1));
  const other = await call(port, '/status/v1/simple');
  const begunMeanwhile = begun;
  answerFirst();

  expect([other.status, begunMeanwhile]).toEqual([200, 1]);
  const numbers = [...(await answers).matchAll(/<(\d+)>/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: count }, (_, n) => n));
});

test('a client that leaves takes its waiting requests along', async () => {
  const { port } = await start();
  const socket = await rawConnection(port);

  socket.write('GET /status/v1/simple HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000));
  await once(socket, 'data');
  socket.destroy();

  expect((await call(port, '/status/v1/simple')).status).toBe(200);
});

describe('silent connections', () => {
  /** Resolves when the server has let the connection go. */
  async function silence(port: number, sent: string, isHalfClosed: boolean): Promise<void> {
    const socket = connectPlain({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    socket.resume();
    await once(socket, 'connect');
    if (sent !== '') socket.write(sent);
    if (isHalfClosed) socket.end();
    await once(socket, 'end');
    socket.destroy();
  }

  test.each(['', '\u0016\u0003\u0001'])(
    'are let go when the time for the handshake is over: %j',
    async (sent) => {
      const { port, server } = await start({ limits: { handshakeTimeoutMs: 100 } });

      await Promise.all(Array.from({ length: 20 }, () => silence(port, sent, false)));

      await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(0));
    },
  );

  test('are let go at once when the client has half closed them', async () => {
    const { port, server } = await start();

    await Promise.all(Array.from({ length: 20 }, () => silence(port, '', true)));

    await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(0));
  });

  test('are let go after the handshake when no request comes', async () => {
    const { port, server } = await start({ limits: { headersTimeoutMs: 100 } });

    await received(await rawConnection(port));

    await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(0));
  });

  test('are let go without TLS, too', async () => {
    const server = createHttpServer({
      routes,
      authorization: { rules: defaultRules, allowHeaderCertInfo: false },
      log,
      limits: { headersTimeoutMs: 100 },
    });
    servers.push(server);
    const port = await server.listen(0, '127.0.0.1');

    await Promise.all([silence(port, '', false), silence(port, '', true), silence(port, 'GET /', false)]);

    await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(0));
  });
});

describe('identity', () => {
  test('comes from the client certificate', async () => {
    const { port } = await start();

    const answer = await call(port, '/puppet/v3/node/agent1.example.net?environment=a%20b', {
      client: agent1,
    });

    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      params: { certname: 'agent1.example.net' },
      query: [['environment', 'a b']],
      identity: 'agent1.example.net',
    });
  });

  test('is anonymous without a certificate, also when a TLS 1.3 session is resumed', async () => {
    const { port } = await start();
    const agent = new Agent({ keepAlive: false, maxCachedSessions: 10 });
    const path = '/puppet/v3/node/agent1.example.net';

    const first = await call(port, path, { agent });
    const second = await call(port, path, { agent });

    expect([first.status, second.status]).toEqual([403, 403]);
    expect(second.text).toBe(
      `Forbidden request: ${path} (method :get). Please see the server logs for details.`,
    );
    expect(second.headers['content-type']).toBeUndefined();
    expect(logged('refused request')?.fields['error']).toBe(
      `Forbidden request: 127.0.0.1 access to ${path} (method :get) (authenticated: false) denied by rule 'puppetlabs node'.`,
    );
    agent.destroy();
  });

  test('is kept when a TLS 1.2 client resumes', async () => {
    const { port } = await start();
    const agent = new Agent({ keepAlive: false, maxVersion: 'TLSv1.2' });
    const path = '/puppet/v3/node/agent1.example.net';

    await call(port, path, { agent, client: agent1 });
    const second = await call(port, path, { agent, client: agent1 });

    expect(second.status).toBe(200);
    agent.destroy();
  });

  test('of another authority, expired or revoked is refused by name', async () => {
    const expired = authority.issue('expired.example.net', [], 0);
    const revoked = authority.issue('revoked.example.net');
    authority.revoke('revoked.example.net');
    const leaf = stranger.issue('agent1.example.net');
    const other = { ...leaf, certificate: leaf.certificate + stranger.certificate };
    const { port } = await start();
    const path = '/status/v1/simple';

    const answers = await Promise.all(
      [expired, revoked, other].map((client) => call(port, path, { client })),
    );

    expect(answers.map(({ reason }) => reason)).toEqual([
      'Forbidden: certificate has expired',
      'Forbidden: certificate revoked',
      'Forbidden: unknown ca',
    ]);
    expect(answers.map(({ status, text: body }) => [status, body])).toEqual([
      [
        403,
        'Forbidden request: certificate has expired [certificate has expired for CN=expired.example.net]',
      ],
      [403, 'Forbidden request: certificate revoked [certificate revoked for CN=revoked.example.net]'],
      [403, 'Forbidden request: unknown ca [unknown ca for CN=agent1.example.net]'],
    ]);
    expect((await call(port, path)).status).toBe(200);
  });

  test('ends with a revocation on connections that are open and on sessions that are resumed', async () => {
    const client = authority.issue('leaver.example.net');
    const { server, port } = await start();
    const keep = new Agent({ keepAlive: true });
    const resume = new Agent({ keepAlive: false });
    const socket = await rawConnection(port, { cert: client.certificate, key: client.privateKey });
    const closed = once(socket, 'close');
    const path = '/puppet/v3/node/leaver.example.net';
    const before = await call(port, path, { client, agent: keep });
    await call(port, path, { client, agent: resume });

    authority.revoke('leaver.example.net');
    server.reloadTls({ ...serverCertificate, ca: authority.certificate, crl: authority.crl() });

    const after = await call(port, path, { client, agent: resume });
    expect([before.status, after.status]).toEqual([200, 403]);
    await closed;
    keep.destroy();
    resume.destroy();
  });

  test('is proved through an intermediate authority with a list of each', async () => {
    const intermediate = new OpensslAuthority('Puppet CA: intermediate', authority);
    const [client, gone] = [intermediate.issue('below.example.net'), intermediate.issue('gone.example.net')];
    intermediate.revoke('gone.example.net');
    const ca = intermediate.certificate + authority.certificate;
    const { port } = await start({
      tls: { ...serverCertificate, ca, crl: intermediate.crl() + authority.crl() },
    });
    const path = '/puppet/v3/node/below.example.net';

    const answers = await Promise.all([client, gone].map((one) => call(port, path, { client: one })));

    expect(answers.map(({ status, reason }) => [status, reason])).toEqual([
      [200, 'OK'],
      [403, 'Forbidden: certificate revoked'],
    ]);
    intermediate.remove();
  });

  test('comes from headers of a proxy only where the rules say so', async () => {
    const headers = {
      'X-Client-Verify': 'SUCCESS',
      'X-Client-DN': 'CN=agent1.example.net',
      'X-Client-Cert': encodeURIComponent(agent1.certificate),
    };
    const authorization = { rules: defaultRules, allowHeaderCertInfo: true };
    const trusting = await start({ authorization, trustedProxies: new TrustedProxies(['127.0.0.0/8']) });
    const { port } = await start();
    const path = '/puppet/v3/node/agent1.example.net';

    expect((await call(trusting.port, path, { headers })).status).toBe(200);
    expect(
      (await call(trusting.port, path, { headers: { ...headers, 'X-Client-Verify': 'NONE' } })).status,
    ).toBe(403);
    expect(
      (await call(trusting.port, path, { headers: { ...headers, 'X-Client-Cert': '%zz' } })).status,
    ).toBe(400);
    expect((await call(port, path, { headers })).status).toBe(403);
    expect((await call(trusting.port, '/own/v1/thing', { headers, method: 'POST' })).status).toBe(409);
  });

  test('comes from headers of those proxies only that are named, by address or certificate', async () => {
    const authorization = { rules: defaultRules, allowHeaderCertInfo: true };
    const statusesFor = async (...proxies: readonly string[]) => {
      const { port } = await start({ authorization, trustedProxies: new TrustedProxies(proxies) });
      const headers = { 'X-Client-Verify': 'SUCCESS', 'X-Client-DN': 'CN=agent1.example.net' };
      const ask = async (client?: typeof agent1, sent = {}) => {
        const { status } = await call(port, '/puppet/v3/node/agent1.example.net', {
          headers: sent,
          ...(client && { client }),
        });
        return status;
      };
      const proxy = authority.issue('proxy.example.net');
      return [await ask(undefined, headers), await ask(proxy, headers), await ask(agent1), await ask(proxy)];
    };

    expect(await statusesFor()).toEqual([403, 403, 200, 403]);
    expect(await statusesFor('192.0.2.0/24')).toEqual([403, 403, 200, 403]);
    expect(await statusesFor('127.0.0.1')).toEqual([200, 200, 403, 403]);
    expect(await statusesFor('proxy.example.net')).toEqual([403, 200, 200, 403]);
    expect(() => new TrustedProxies(['10.0.0.0/99'])).toThrow("trusted_proxies: '10.0.0.0/99' is no network");
  });
});

describe('answers', () => {
  test('announce Puppet on its own APIs only, and vary by encoding', async () => {
    const { port } = await start();

    const node = await call(port, '/puppet/v3/node/agent1.example.net', { client: agent1 });
    const status = await call(port, '/status/v1/simple');

    expect(node.headers['x-puppet-version']).toBe('7.23.0');
    expect(node.headers['vary']).toBe('Accept-Encoding, User-Agent');
    expect(status.headers['x-puppet-version']).toBeUndefined();
    expect(status.text).toBe('running');
  });

  test('are compressed for those who ask, when it pays', async () => {
    const { port } = await start();
    const headers = { 'Accept-Encoding': 'gzip;q=1.0,deflate;q=0.6,identity;q=0.3' };
    const get = (name: string, wanted: OutgoingHttpHeaders = headers): Promise<Answer> =>
      call(port, `/puppet/v3/file_content/${name}`, { client: agent1, headers: wanted });

    const [coded, plain, refused, stream] = await Promise.all([
      get('long'),
      get('long', {}),
      get('long', { 'Accept-Encoding': 'gzip;q=0' }),
      get('stream'),
    ]);

    expect([coded.headers['content-encoding'], coded.text, coded.bytes.length < 1000]).toEqual([
      'gzip',
      long,
      true,
    ]);
    expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, long]);
    expect(refused.headers['content-encoding']).toBeUndefined();
    expect([stream.headers['content-encoding'], stream.text]).toEqual(['gzip', long + long]);
    expect((await call(port, '/status/v1/simple', { headers })).headers['content-encoding']).toBeUndefined();
  });

  test('give their memory back when they are compressed or sent', async () => {
    const { port } = await start();
    const at = (name: string) => `/puppet/v3/file_content/${name}`;
    const headers = { 'Accept-Encoding': 'gzip' };

    const plain = await call(port, at('disposable'), { client: agent1 });
    const larger = await call(port, at('large-disposable'), { client: agent1 });
    const coded = await call(port, at('disposable'), { client: agent1, headers });

    expect([plain.text, larger.text, coded.text]).toEqual([long, long.repeat(100), long]);
    await expect.poll(() => disposable.map(({ length }) => length)).toEqual([0, 0, 0]);
  });

  test('to HEAD have the headers alone', async () => {
    const { port } = await start();

    const answer = await call(port, '/status/v1/simple', { method: 'HEAD' });

    expect([answer.status, answer.headers['content-length'], answer.text]).toEqual([200, '7', '']);
  });

  test('to failures have the form that each API has', async () => {
    const { port } = await start();

    const puppet = await call(port, '/puppet/v3/file_content/modules/x', { client: agent1 });
    const ca = await call(port, '/puppet-ca/v1/certificate/x');
    const own = await call(port, '/own/v1/thing', { client: agent1, method: 'POST' });
    const busy = await call(port, '/puppet/v3/file_content/unavailable', { client: agent1 });

    expect([puppet.status, puppet.reason, puppet.headers['content-type'], puppet.text]).toEqual([
      404,
      'Not Found',
      'application/json;charset=utf-8',
      '{"message":"Not Found: Could not find file_content modules/x","issue_kind":"RESOURCE_NOT_FOUND"}',
    ]);
    expect([ca.status, ca.headers['content-type'], ca.text]).toEqual([
      404,
      'text/plain;charset=utf-8',
      'Could not find certificate x',
    ]);
    expect([own.status, own.text]).toEqual([409, '{"kind":"own/conflict","msg":"no","details":{"a":1}}']);
    expect([busy.status, busy.headers['retry-after']]).toEqual([503, '7']);
  });

  test('to bugs say nothing of them, and the log has them once', async () => {
    const { port } = await start();

    const answer = await call(port, '/puppet/v3/file_content/bug', { client: agent1 });

    expect([answer.status, answer.reason]).toEqual([500, 'Server Error']);
    expect(answer.text).not.toContain('secret detail');
    expect(lines.filter(({ fields }) => fields['err'] instanceof TypeError)).toHaveLength(1);
  });

  test('to unknown paths are those of the reference', async () => {
    const { port } = await start();

    const unknown = await call(port, '/puppet/v3/nosuch/<x>');
    const method = await call(port, '/puppet/v3/node/x', { method: 'DELETE', client: agent1 });
    const malformed = await call(port, '/puppet/v3/node/%zz', { client: agent1 });

    expect([unknown.status, unknown.headers['content-type']]).toEqual([404, 'text/html;charset=iso-8859-1']);
    expect(unknown.text).toContain('<tr><th>URI:</th><td>/puppet/v3/nosuch/&lt;x&gt;</td></tr>');
    expect([method.status, method.headers['content-length']]).toEqual([404, '0']);
    expect(malformed.status).toBe(400);
  });

  test('that break off in the middle end the connection and leave the server serving', async () => {
    const { port } = await start();

    const broken = call(port, '/puppet/v3/file_content/broken', { client: agent1 });

    await expect(broken).rejects.toThrow();
    expect((await call(port, '/status/v1/simple')).status).toBe(200);
  });

  test('are logged with who, what and how long', async () => {
    const samples: unknown[] = [];
    const { port } = await start({ onServed: (sample) => samples.push(sample) });

    await call(port, '/puppet/v3/node/agent1.example.net', { client: agent1 });

    expect(logged('served request')?.fields).toMatchObject({
      certname: 'agent1.example.net',
      method: 'GET',
      path: '/puppet/v3/node/agent1.example.net',
      status: 200,
      durationMs: expect.any(Number) as number,
    });
    expect(samples).toMatchObject([{ method: 'GET', route: '/puppet/v3/node/:certname', status: 200 }]);
  });
});

describe('request bodies', () => {
  const path = '/puppet/v3/report/agent1.example.net';
  const put = (port: number, body: Buffer | string, headers: OutgoingHttpHeaders = {}): Promise<Answer> =>
    call(port, path, { method: 'PUT', client: agent1, body, headers });

  test('arrive whole, with their content coding removed', async () => {
    const { port } = await start();

    const plain = await put(port, long);
    const coded = await put(port, gzipSync(long), { 'Content-Encoding': 'gzip' });

    expect([plain.text, coded.text]).toEqual(['5000', '5000']);
  });

  test('above the limit are refused, as sent, chunked or compressed', async () => {
    const { port } = await start();
    const big = 'x'.repeat(20_000);

    const declared = await put(port, big);
    const chunked = await put(port, big, { 'Transfer-Encoding': 'chunked' });
    const bomb = await put(port, gzipSync(Buffer.alloc(5_000_000)), { 'Content-Encoding': 'gzip' });

    expect([declared.status, chunked.status, bomb.status]).toEqual([413, 413, 413]);
    expect(declared.text).toBe(
      '{"message":"Payload Too Large: The request body is larger than 10000 bytes","issue_kind":"RUNTIME_ERROR"}',
    );
  });

  test('that are cut short or wrongly coded are bad requests', async () => {
    const { port } = await start();

    const cut = await put(port, gzipSync(long).subarray(0, 30), { 'Content-Encoding': 'gzip' });
    const wrong = await put(port, 'no gzip', { 'Content-Encoding': 'gzip' });
    const unknown = await put(port, long, { 'Content-Encoding': 'br' });

    expect([cut.status, wrong.status, unknown.status]).toEqual([400, 400, 415]);
  });

  test('of clients that leave are logged once and do not affect others', async () => {
    const { port } = await start();
    const socket = await rawConnection(port, { cert: agent1.certificate, key: agent1.privateKey });

    socket.write(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`);
    await expect.poll(() => servers[0]?.requestsInFlight).toBe(1);
    socket.destroy();

    await expect.poll(() => servers[0]?.requestsInFlight).toBe(0);
    expect(lines.filter(({ level, fields }) => level !== 'debug' && fields['status'] === 400)).toHaveLength(
      1,
    );
    expect((await call(port, '/status/v1/simple')).status).toBe(200);
  });

  test('of clients that close their sending side too early get an answer', async () => {
    const { port } = await start();
    const socket = await rawConnection(port, {
      cert: agent1.certificate,
      key: agent1.privateKey,
      allowHalfOpen: true,
    } as ConnectionOptions);

    socket.end(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`);

    expect(await received(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request/);
  });

  test('that stop coming time out', async () => {
    const { port } = await start({ limits: { bodyIdleTimeoutMs: 50 } });
    const socket = await rawConnection(port, { cert: agent1.certificate, key: agent1.privateKey });

    socket.write(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`);

    expect(await received(socket)).toMatch(
      /^HTTP\/1\.1 408 Request Timeout\r\n[^]*only 4 bytes came in 0\.05 seconds/,
    );
  });
});

describe('connections', () => {
  test('that send no HTTP, too long headers or nothing are turned away', async () => {
    const { port } = await start({ limits: { maxHeaderBytes: 8192 } });
    // Its time counts from the connection on: who is to be turned away for something else must not meet it.
    const impatient = await start({ limits: { headersTimeoutMs: 100 } });
    const sockets = await Promise.all([rawConnection(port), rawConnection(port)]);
    const [garbage, long431] = sockets.map(received);
    const slow = await rawConnection(impatient.port);
    const silent = received(slow);

    sockets[0]?.write('nonsense\r\n\r\n');
    sockets[1]?.write(`GET / HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`);
    slow.write('GET / HTTP/1.1\r\n');

    expect(await garbage).toMatch(/^HTTP\/1\.1 400 Bad Request/);
    expect(await long431).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large/);
    expect(await silent).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
    expect((await call(port, '/status/v1/simple')).status).toBe(200);
  });

  test('may carry queries of 60 KB', async () => {
    const { port } = await start();

    const answer = await call(port, `/status/v1/simple?q=${'z'.repeat(60_000)}`);

    expect(answer.status).toBe(200);
  });

  test('older than TLS 1.2 are refused', async () => {
    const { port } = await start();

    const attempt = rawConnection(port, {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });

    await expect(attempt).rejects.toThrow();
  });

  test('that ask for another protocol are handed over with their identity', async () => {
    const seen: string[] = [];
    const { port } = await start({
      onUpgrade: (message, socket, _head, peer) => {
        seen.push(message.url ?? '', peer.kind);
        socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
        return undefined;
      },
    });
    const socket = await rawConnection(port, { cert: agent1.certificate, key: agent1.privateKey });

    socket.write('GET /pcp2/agent HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');

    expect(await received(socket)).toMatch(/^HTTP\/1\.1 101/);
    expect(seen).toEqual(['/pcp2/agent', 'certificate']);
  });

  test('finish what is under way when the server drains, and no more come', async () => {
    let finish: (() => void) | undefined;
    const slow = route({
      method: 'GET',
      path: '/slow',
      allow: { kind: 'anyone' },
      handle: () => new Promise((resolve) => (finish = () => resolve(text('done')))),
    });
    const { server, port } = await start({ routes: [...routes, slow] });
    const keep = new Agent({ keepAlive: true });
    await call(port, '/status/v1/simple', { agent: keep });
    const answer = call(port, '/slow', { agent: keep });
    await expect.poll(() => server.requestsInFlight).toBe(1);

    const drained = server.drain(600_000);
    await expect(call(port, '/status/v1/simple')).rejects.toThrow('ECONNREFUSED');
    finish?.();

    expect([(await answer).text, (await answer).headers['connection']]).toEqual(['done', 'close']);
    await drained;
    keep.destroy();
  });

  test('that hang do not keep a draining server forever', async () => {
    const { server, port } = await start();
    const hanging = call(port, '/puppet/v3/file_content/hang', { client: agent1 }).catch(
      (error: Error) => error.message,
    );
    await expect.poll(() => server.requestsInFlight).toBe(1);

    await server.drain(20);

    expect(await hanging).toBe('socket hang up');
  });
});
