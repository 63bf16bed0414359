import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OpensslAuthority, type TestCertificate } from '../../../test/support/openssl-authority.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { HttpClient } from '../http-client/index.ts';
import { silentLogger } from '../log/index.ts';
import { createHttpServer, defaultRules, type Gate, type HttpServer, route } from './index.ts';
import { paceHandshakes } from './paced-accept.ts';

let authority: OpensslAuthority;
let certificate: TestCertificate;
let agent: TestCertificate;
const seen = { bodies: 0 };
const errors: string[] = [];

beforeAll(() => {
  authority = new OpensslAuthority('Puppet CA: test');
  certificate = authority.issue('localhost');
  agent = authority.issue('agent1.example.net');
});
afterAll(() => authority.remove());
beforeEach(() => {
  seen.bodies = 0;
});

function client(): HttpClient {
  return new HttpClient({ ca: authority.certificate, ...agent });
}

async function serve(gate: Gate): Promise<{ readonly server: HttpServer; readonly url: string }> {
  const server = createHttpServer({
    routes: [
      route({
        method: 'GET',
        path: '/status/v1/simple',
        allow: { kind: 'anyone' },
        isHealthCheck: true,
        handle: () => ({ status: 200, body: 'running' }),
      }),
      route({
        method: 'PUT',
        path: '/puppet/v3/report/:certname',
        allow: { kind: 'rules' },
        gate,
        handle: async ({ body }) => {
          await body();
          seen.bodies += 1;
          return { status: 200, body: 'ok' };
        },
      }),
    ],
    authorization: { rules: defaultRules, allowHeaderCertInfo: false },
    tls: { ...certificate, ca: authority.certificate, crl: authority.crl() },
    log: { ...silentLogger, error: (_fields, message) => void errors.push(message) },
  });
  return { server, url: `https://localhost:${await server.listen(0, 'localhost')}` };
}

const agentHeaders = { 'x-puppet-version': '8.10.0' };
const report = { method: 'PUT', body: 'x'.repeat(100_000), timeoutMs: 300_000 };
const path = '/puppet/v3/report/agent1.example.net';

describe('A route with a gate', () => {
  test('puts a client off before its body is read, and lets go of its connection', async () => {
    const keys: string[] = [];
    const { server, url } = await serve({
      enter(key) {
        keys.push(key);
        throw new ServiceError('unavailable', 'busy', { details: { retryAfterSeconds: 7 } });
      },
    });
    const asking = client();

    const answer = await asking.send({ ...report, headers: agentHeaders, url: url + path });

    asking.close();
    await server.drain(0);
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatchObject({ 'retry-after': '7', connection: 'close' });
    expect(keys).toEqual([path]);
    expect(seen.bodies).toBe(0);
  });

  test('lets those wait here who can not be asked to come back', async () => {
    const attempts: string[] = [];
    const { server, url } = await serve({
      enter(key) {
        attempts.push(key);
        if (attempts.length > 2) return () => undefined;
        throw new ServiceError('unavailable', 'busy', { details: { retryAfterSeconds: 0.05 } });
      },
    });
    const asking = client();

    const headers = { 'x-puppet-version': '7.23.0' };
    const answer = await asking.send({ ...report, headers, url: url + path });

    asking.close();
    await server.drain(0);
    expect(answer.status).toBe(200);
    expect(attempts).toEqual([path, path, path]);
    expect(seen.bodies).toBe(1);
  });

  test('forgets those who leave while they wait', async () => {
    const attempts: string[] = [];
    const leaving = new AbortController();
    const { server, url } = await serve({
      enter(key) {
        attempts.push(key);
        leaving.abort();
        throw new ServiceError('unavailable', 'busy', { details: { retryAfterSeconds: 60 } });
      },
    });
    const asking = client();

    await expect(asking.send({ ...report, url: url + path, signal: leaving.signal })).rejects.toThrow();
    while (server.requestsInFlight > 0) await new Promise((resolve) => setTimeout(resolve, 10));

    asking.close();
    await server.drain(0);
    expect(attempts).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test('is told when a request has been answered', async () => {
    const gate = { inside: 0, most: 0 };
    const { server, url } = await serve({
      enter() {
        gate.inside += 1;
        gate.most = Math.max(gate.most, gate.inside);
        return () => {
          gate.inside -= 1;
        };
      },
    });
    const asking = client();

    const answer = await asking.send({ ...report, url: url + path });

    asking.close();
    await server.drain(0);
    expect(answer.status).toBe(200);
    expect(gate).toEqual({ inside: 0, most: 1 });
  });
});

describe('A server that retires', () => {
  const open = { enter: () => () => undefined };

  test('lets agents go on with their runs while load balancers notice', async () => {
    const { server, url } = await serve(open);
    const asking = client();
    await asking.send({ ...report, url: url + path });

    // The test does not wait for its end: however slow this machine is, the answer comes before.
    void server.retire(3_600_000);
    const answer = await asking.send({ ...report, url: url + path });
    const isDraining = server.isDraining;
    asking.close();

    await server.drain(0);
    expect(isDraining).toBe(true);
    expect(answer.status).toBe(200);
    // A run that is split between two servers may meet two versions.
    expect(answer.headers['connection']).toBe('keep-alive');
  });

  test('sends them elsewhere with their next answer then', async () => {
    const { server, url } = await serve(open);
    const asking = client();
    await asking.send({ ...report, url: url + path });

    let hasEnded = false;
    const retired = server.retire(100).then(() => (hasEnded = true));
    await sleep(300);
    const waitsForConnection = !hasEnded;
    const answer = await asking.send({ ...report, url: url + path });
    await retired;

    asking.close();
    await server.drain(0);
    expect(waitsForConnection).toBe(true);
    expect(answer.status).toBe(200);
    expect(answer.headers['connection']).toBe('close');
  });

  test('does so at once when neither an agent nor a load balancer has been there', async () => {
    const { server } = await serve(open);

    await server.retire(3_600_000);

    await server.drain(0);
    expect(server.isDraining).toBe(true);
  });

  test('goes on for a load balancer that asks for its health, also when no agent has been there', async () => {
    const { server, url } = await serve(open);
    const balancer = client();
    const check = { method: 'GET', url: `${url}/status/v1/simple` };
    await balancer.send(check);

    // Nothing waits for its end: however slow this machine is, the answer comes before.
    void server.retire(3_600_000);
    const answer = await balancer.send(check);

    balancer.close();
    await server.drain(0);
    expect(answer.status).toBe(200);
  });

  test('goes on for a load balancer that asks another port', async () => {
    const { server } = await serve(open);
    let hasEnded = false;

    void server.retire(3_600_000, true).then(() => (hasEnded = true));
    await new Promise((resolve) => setImmediate(resolve));

    await server.drain(0);
    expect(hasEnded).toBe(false);
  });
});

describe('Connections that come at once', () => {
  /** @returns the names of sockets in the order in which their handshakes begin */
  async function begun(
    sockets: readonly { readonly name: number; readonly remoteAddress: string }[],
    { areFinished = true, perSecond = Number.POSITIVE_INFINITY } = {},
  ) {
    const names: number[] = [];
    const server = createServer({ pauseOnConnect: true });
    server.removeAllListeners('connection');
    server.on('connection', (socket: unknown) => {
      names.push((socket as { readonly name: number }).name);
      if (areFinished) setImmediate(() => server.emit('secureConnection', socket as never));
    });
    paceHandshakes(server, perSecond, (_socket, begin) => begin());
    for (const [remotePort, socket] of sockets.entries())
      server.emit('connection', Object.assign(new EventEmitter(), socket, { remotePort }) as never);
    const atOnce = names.length;
    for (let turn = 0; turn < sockets.length; turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
    return { atOnce, names };
  }

  test('are taken a few at a time, in their order', async () => {
    const sockets = Array.from({ length: 5000 }, (_, name) => ({ name, remoteAddress: '10.0.0.1' }));

    const { atOnce, names } = await begun(sockets);

    expect(atOnce).toBe(4);
    expect(names).toEqual(sockets.map(({ name }) => name));
  });

  test('do not keep those from other addresses waiting', async () => {
    const crowd = Array.from({ length: 100 }, (_, name) => ({ name, remoteAddress: '10.0.0.1' }));
    const others = [
      { name: 1000, remoteAddress: '10.0.0.2' },
      { name: 1001, remoteAddress: '10.0.0.3' },
      { name: 1002, remoteAddress: '10.0.0.2' },
    ];

    const { names } = await begun([...crowd, ...others]);

    expect(names.slice(0, 12)).toEqual([0, 1, 2, 3, 4, 1000, 1001, 5, 1002, 6, 7, 8]);
    expect(names).toHaveLength(103);
  });

  test('begin no more than can end in one turn; those that are kept waiting do not count for long', async () => {
    const sockets = Array.from({ length: 100 }, (_, name) => ({ name, remoteAddress: '10.0.0.1' }));

    const { names } = await begun(sockets, { areFinished: false });
    const atOnce = names.length;
    while (names.length < sockets.length) await sleep(20);

    expect(atOnce).toBe(32);
    expect(names).toEqual(sockets.map(({ name }) => name));
  });

  test('that have waited for too long at a stated rate are closed, and the newest come first then', async () => {
    const closed: number[] = [];
    const sockets = Array.from({ length: 60 }, (_, name) => ({
      name,
      remoteAddress: '10.0.0.1',
      destroy: () => void closed.push(name),
    }));

    const { names } = await begun(sockets, { perSecond: 5 });
    while (names.length + closed.length < sockets.length) await sleep(20);

    // One at once, then five a second for four seconds: the oldest for one of them, then the newest.
    expect(names.length).toBeGreaterThan(10);
    expect(names.length).toBeLessThan(25);
    expect([...names, ...closed].toSorted((a, b) => a - b)).toEqual(sockets.map(({ name }) => name));
    expect(names.slice(0, 3)).toEqual([0, 1, 2]);
    expect(names.slice(-3).every((name) => name > 40)).toBe(true);
    expect(closed).toEqual(closed.toSorted((a, b) => a - b));
  });

  test('begin no faster than the stated rate', async () => {
    const sockets = Array.from({ length: 40 }, (_, name) => ({ name, remoteAddress: '10.0.0.1' }));
    const startMs = performance.now();

    const { names } = await begun(sockets, { perSecond: 100 });
    while (names.length < sockets.length) await sleep(20);
    const tookMs = performance.now() - startMs;

    // Ten at once, the others 10 ms apart.
    expect(tookMs).toBeGreaterThan(290);
    expect(names).toEqual(sockets.map(({ name }) => name));
  });
});
