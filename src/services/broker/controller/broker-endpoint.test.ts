import { afterEach, beforeAll, expect, test } from 'vitest';
import { OpensslAuthority, type TestCertificate } from '../../../../test/support/openssl-authority.ts';
import { createHttpServer } from '../../../platform/http/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { dialWebSocket } from '../../../platform/websocket/index.ts';
import { decodeRevocationLists } from '../../../platform/x509/index.ts';
import { Broker } from '../broker.ts';
import { ControllerDialler } from '../controller-dialler.ts';
import { BrokerListener } from '../listener.ts';
import { MessageRules } from '../rules.ts';
import { AgentController } from './agent-controller.ts';
import { BrokerEndpoint } from './broker-endpoint.ts';

const soon = { timeout: 20_000, interval: 5 };
const maxMessageBytes = 1_000_000;
let authority: OpensslAuthority;
let primary: TestCertificate;
let compile1: TestCertificate;
let agent: TestCertificate;
const ends: (() => unknown)[] = [];

beforeAll(() => {
  authority = new OpensslAuthority('CA');
  primary = authority.issue('localhost', ['subjectAltName=DNS:localhost,DNS:puppet']);
  compile1 = authority.issue('compile1.test', ['subjectAltName=DNS:localhost']);
  agent = authority.issue('agent.test');
  return () => authority.remove();
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const tlsOf = (certificate: TestCertificate) => ({
  ...certificate,
  ca: authority.certificate,
  crl: authority.crl(),
});

async function startPrimary(port = 0) {
  const withoutRights = new Set(['agent.test']);
  const events: string[] = [];
  const controller = new AgentController({ log: silentLogger, now: () => new Date() });
  controller.listen({
    message: (certname, { data, messageType }) =>
      void events.push(`${certname} ${messageType} ${JSON.stringify(data)}`),
    connected: (certname, broker) => void events.push(`${certname} at ${broker}`),
    lost: (certname) => void events.push(`${certname} lost`),
  });
  const endpoint = new BrokerEndpoint({
    controller,
    isInfrastructure: (identity) => identity.kind === 'certificate' && !withoutRights.has(identity.certname),
    maxMessageBytes,
    log: silentLogger,
  });
  const http = createHttpServer({
    routes: [],
    authorization: { rules: [], allowHeaderCertInfo: false },
    tls: tlsOf(primary),
    log: silentLogger,
    onUpgrade: (...request) => endpoint.upgrade(...request),
  });
  const opened = await http.listen(port, '127.0.0.1');
  const stop = async () => {
    endpoint.close();
    await http.drain(10_000);
  };
  return { controller, endpoint, events, http, stop, port: opened, withoutRights };
}

async function startCompileServer(primaryPort: number) {
  const broker = new Broker({
    rules: new MessageRules({ rules: [], allowHeaderCertInfo: false }),
    log: silentLogger,
    maxConnections: 0,
    messagesPerSecond: 1000,
    idleTimeoutMs: 360_000,
    expectsControllers: true,
    controllerGraceMs: 90_000,
    nowMs: Date.now,
  });
  const listener = new BrokerListener({
    broker,
    tls: tlsOf(compile1),
    log: silentLogger,
    maxMessageBytes,
    connectionsPerSecond: 1000,
  });
  const dialler = new ControllerDialler({
    url: `wss://localhost:${primaryPort}/server`,
    tls: tlsOf(compile1),
    maxMessageBytes,
    log: silentLogger,
    attach: (link) => broker.attach(link),
    pauses: { firstMs: 10, longestMs: 50 },
  });
  const port = await listener.listen(0, '127.0.0.1');
  broker.start();
  dialler.start();
  ends.push(
    () => listener.close(1000),
    () => {
      dialler.stop();
      broker.stop();
    },
  );
  return { broker, dialler, port };
}

async function dial(port: number, path: string, certificate: TestCertificate) {
  const heard: string[] = [];
  const connection = await dialWebSocket(
    {
      url: `wss://localhost:${port}${path}`,
      ca: authority.certificate,
      certificate: certificate.certificate,
      privateKey: certificate.privateKey,
      maxMessageBytes,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
    },
    () => ({ message: (data) => void heard.push(String(data)), closed: () => undefined }),
  );
  ends.push(() => connection.cut());
  return { connection, heard };
}

test('A broker that dials in relays both ways, isolates itself without the orchestrator, and comes back', async () => {
  const first = await startPrimary();
  const { broker, port } = await startCompileServer(first.port);
  await expect.poll(() => broker.state, soon).toBe('running');
  const { connection, heard } = await dial(port, '/pcp2/agent', agent);
  await expect.poll(() => first.events, soon).toEqual(['agent.test at pcp://compile1.test/server']);

  await first.controller.send('agent.test', 'http://puppetlabs.com/rpc_blocking_request', { n: 1 });
  await expect.poll(() => heard.length, soon).toBe(1);
  const request = JSON.parse(heard[0] ?? '') as { readonly sender: string };
  connection.send(
    JSON.stringify({
      id: '98681863-25fc-47f5-8bb6-a55f6bf39635',
      message_type: 'http://puppetlabs.com/rpc_blocking_response',
      // As an agent does that was asked over another broker, under another name of the primary.
      target: request.sender.replace('localhost', 'puppet'),
      data: { n: 2 },
    }),
  );
  await expect
    .poll(() => first.events[1], soon)
    .toBe('agent.test http://puppetlabs.com/rpc_blocking_response {"n":2}');

  // As a primary that dies: nothing is said.
  await first.http.drain(0);
  await expect.poll(() => broker.state, soon).toBe('error');
  await expect.poll(() => first.events[2], soon).toBe('agent.test lost');
  await expect(dial(port, '/pcp2/agent', agent)).rejects.toThrow('503');
  const second = await startPrimary(first.port);
  await expect.poll(() => broker.state, soon).toBe('running');
  await expect.poll(() => second.events, soon).toEqual(['agent.test at pcp://compile1.test/server']);
  const startMs = performance.now();
  await second.stop();
  expect(performance.now() - startMs).toBeLessThan(5000);
});

test('A broker whose server has lost its rights is cut off, and refused when it comes back', async () => {
  const { endpoint, events, http, port: primaryPort, withoutRights } = await startPrimary();
  ends.push(() => http.drain(1000));
  const { broker, port } = await startCompileServer(primaryPort);
  await expect.poll(() => broker.state, soon).toBe('running');
  await dial(port, '/pcp2/agent', agent);
  await expect.poll(() => events.length, soon).toBe(1);
  endpoint.cutStrangers();

  withoutRights.add('compile1.test');
  endpoint.cutStrangers();

  await expect
    .poll(() => events, soon)
    .toEqual(['agent.test at pcp://compile1.test/server', 'agent.test lost']);
  await expect.poll(() => broker.state, soon).toBe('error');
  await expect(dial(primaryPort, '/server', compile1)).rejects.toThrow('403');
});

test('A broker whose certificate is revoked is closed, and its agents are lost', async () => {
  const { events, http, port: primaryPort } = await startPrimary();
  ends.push(() => http.drain(1000));
  const { broker, port } = await startCompileServer(primaryPort);
  await expect.poll(() => broker.state, soon).toBe('running');
  await dial(port, '/pcp2/agent', agent);
  await expect.poll(() => events.length, soon).toBe(1);

  authority.revoke('compile1.test');
  http.setRevocationLists(decodeRevocationLists(authority.crl()));

  await expect.poll(() => events[1], soon).toBe('agent.test lost');
  await expect.poll(() => broker.state, soon).toBe('error');
});

test('Clients that are not servers of the installation are refused, and so are other paths', async () => {
  const { http, port } = await startPrimary();
  ends.push(() => http.drain(1000));

  await expect(dial(port, '/server', agent)).rejects.toThrow('403');
  await expect(dial(port, '/other', compile1)).rejects.toThrow(/40[34]/);
});
