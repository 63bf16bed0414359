/**
 * What one small request costs the HTTP server: processor time over mutual TLS with kept connections.
 *
 * `node bench/http.ts [REQUESTS] [CONNECTIONS]`; the client runs in a process of its own, so that the time is the server's.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { createHttpServer, defaultRules, route } from '../src/platform/http/index.ts';
import { silentLogger } from '../src/platform/log/index.ts';
import { Metrics } from '../src/platform/metrics/index.ts';
import { OpensslAuthority, type TestCertificate } from '../test/support/openssl-authority.ts';

interface Job {
  readonly port: number;
  readonly ca: string;
  readonly client: TestCertificate;
  readonly path: string;
  readonly requests: number;
  readonly connections: number;
}

const metadata = JSON.stringify({
  path: '/x/y',
  owner: 0,
  group: 0,
  mode: 420,
  checksum: { type: 'sha256', value: 'a' },
});

if (process.send === undefined) await runServer();
else process.once('message', (job: Job) => void runClient(job));

async function runServer(): Promise<void> {
  const [requests = 40_000, connections = 16] = process.argv.slice(2).map(Number);
  const authority = new OpensslAuthority('Puppet CA: bench');
  const metrics = new Metrics();
  const handle = () => ({
    status: 200,
    headers: { 'Content-Type': 'application/json;charset=utf-8' },
    body: metadata,
  });
  const server = createHttpServer({
    routes: [
      route({ method: 'GET', path: '/status/v1/simple', allow: { kind: 'anyone' }, handle }),
      route({ method: 'GET', path: '/puppet/v3/file_metadata/*', allow: { kind: 'rules' }, handle }),
    ],
    authorization: { rules: defaultRules, allowHeaderCertInfo: false },
    tls: { ...authority.issue('localhost'), ca: authority.certificate, crl: authority.crl() },
    log: silentLogger,
    onServed: metrics.observeRequest,
  });
  const port = await server.listen(0, '127.0.0.1');
  const client = authority.issue('agent1.example.net');
  authority.remove();
  for (const path of [
    '/status/v1/simple',
    '/puppet/v3/file_metadata/modules/a/b.txt?environment=production',
  ]) {
    const job = { port, ca: authority.certificate, client, path, connections };
    await measure({ ...job, requests: Math.min(requests, 10_000) });
    const { cpuMicroseconds, seconds } = await measure({ ...job, requests });
    const perRequest = (cpuMicroseconds / requests).toFixed(1);
    process.stdout.write(
      `${path}: ${perRequest} us CPU a request, ${Math.round(requests / seconds)} requests/s\n`,
    );
  }
  await server.drain(1000);
}

async function measure(job: Job): Promise<{ cpuMicroseconds: number; seconds: number }> {
  const child = fork(import.meta.filename);
  const [before, startedMs] = [process.cpuUsage(), performance.now()];
  child.send(job);
  await once(child, 'exit');
  const { user, system } = process.cpuUsage(before);
  return { cpuMicroseconds: user + system, seconds: (performance.now() - startedMs) / 1000 };
}

async function runClient(job: Job): Promise<void> {
  const each = Math.ceil(job.requests / job.connections);
  await Promise.all(Array.from({ length: job.connections }, () => requestMany(job, each)));
  process.exit(0);
}

/** One connection: the next request goes out when the answer to the last is complete. */
async function requestMany(job: Job, count: number): Promise<void> {
  const socket = connect({
    port: job.port,
    host: '127.0.0.1',
    ca: job.ca,
    cert: job.client.certificate,
    key: job.client.privateKey,
    checkServerIdentity: () => undefined,
  });
  const request = `GET ${job.path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nAccept-Encoding: gzip\r\n\r\n`;
  await once(socket, 'secureConnect');
  for (let sent = 0; sent < count; sent++) {
    socket.write(request);
    let received = '';
    while (!received.endsWith(metadata)) received += String((await once(socket, 'data'))[0]);
    if (!received.startsWith('HTTP/1.1 200')) throw new Error(received);
  }
  socket.destroy();
}
