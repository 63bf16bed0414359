/**
 * `npm run bench -- ca`: 100 clients at once that want certificates, beside Debian's `puppetserver` with the same keys on
 * the same machine. Each client sends its request and asks for its certificate until it has it, as a first agent run
 * does; both servers sign everything. Then the list of all certificates, and one revocation.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../demo/ports.ts';
import { HttpClient } from '../src/platform/http-client/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
} from '../src/platform/x509/index.ts';
import { hasPuppetserver, RealPuppetserver } from '../test/ca/real-puppetserver.ts';
import { startOwnServer } from './own-server.ts';

const concurrency = 100;
const nodes = 1000;
const warmUpNodes = 200;
const certname = 'localhost';

interface Target {
  readonly title: string;
  readonly port: number;
  readonly sslDir: string;
}

interface Order {
  readonly certname: string;
  readonly pem: string;
}

export async function measureCa(): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'bunraku-bench-ca-'));
  try {
    const orders = await prepareOrders();
    const real = new RealPuppetserver({
      base: join(base, 'real'),
      certname,
      port: await freePort(),
      autosign: 'true',
    });
    if (!hasPuppetserver) console.log('puppetserver is not installed: measuring bunraku alone');
    else await real.ca('setup', '--subject-alt-names', certname);
    await measureOurs(join(base, 'ours'), real, orders);
    if (hasPuppetserver) await measureReal(real, orders);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function measureOurs(
  directory: string,
  real: RealPuppetserver,
  orders: readonly Order[],
): Promise<void> {
  const authority = hasPuppetserver ? real : undefined;
  const settings = { keylength: 2048, 'compile-workers': 1, 'log-level': 'warn' };
  const server = await startOwnServer({ directory, certname, authority, settings });
  try {
    await measure({ title: 'bunraku', ...server }, orders);
  } finally {
    await server.stop();
  }
}

async function measureReal(real: RealPuppetserver, orders: readonly Order[]): Promise<void> {
  const began = performance.now();
  await real.start();
  console.log(`puppetserver: ready after ${seconds(performance.now() - began)} s`);
  try {
    await measure({ title: 'puppetserver', port: real.port, sslDir: real.sslDir }, orders);
  } finally {
    await real.stop();
  }
}

/** One key for all: making keys is the agents' work, not the server's. */
async function prepareOrders(): Promise<readonly Order[]> {
  const keys = await createKeyPair({ kind: 'rsa', bits: 2048 });
  return Promise.all(
    Array.from({ length: nodes + warmUpNodes }, async (_, index) => {
      const name = `node${index}.bench.test`;
      const request = await createCertificateRequest({ certname: name }, keys);
      return { certname: name, pem: encodeCertificateRequest(request) };
    }),
  );
}

async function measure(target: Target, orders: readonly Order[]): Promise<void> {
  // A JVM compiles what it runs often: it gets the time for that.
  await signAll(target, orders.slice(0, warmUpNodes));
  const began = performance.now();
  const times = await signAll(target, orders.slice(warmUpNodes));
  const elapsedMs = performance.now() - began;
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  console.log(
    `${target.title}: ${nodes} certificates, ${concurrency} clients: ${Math.round((nodes * 1000) / elapsedMs)}/s, ` +
      `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`,
  );
  await measureAdministration(target);
}

/** @returns for each node the milliseconds from its request to its certificate */
async function signAll(target: Target, orders: readonly Order[]): Promise<number[]> {
  const times: number[] = [];
  const queue = [...orders];
  const workers = Array.from({ length: concurrency }, async () => {
    for (let order = queue.shift(); order !== undefined; order = queue.shift()) {
      const began = performance.now();
      await obtain(target, order);
      times.push(performance.now() - began);
    }
  });
  await Promise.all(workers);
  return times;
}

/** On a connection of its own, as each agent has. */
async function obtain({ port, sslDir }: Target, { certname: name, pem }: Order): Promise<void> {
  const client = new HttpClient({ ca: readFileSync(join(sslDir, 'certs', 'ca.pem'), 'utf8') });
  const url = `https://localhost:${port}/puppet-ca/v1`;
  try {
    const path = `${url}/certificate_request/${name}`;
    const headers = { 'content-type': 'text/plain', accept: 'text/plain' };
    const sent = await client.send({ method: 'PUT', url: path, headers, body: pem, timeoutMs: 120_000 });
    if (sent.status !== 200) throw new Error(`${sent.status}: ${sent.body.toString()}`);
    for (;;) {
      const answer = await client.send({
        method: 'GET',
        url: `${url}/certificate/${name}`,
        timeoutMs: 120_000,
      });
      if (answer.status === 200) return;
      await sleep(50);
    }
  } finally {
    client.close();
  }
}

async function measureAdministration({ port, sslDir, title }: Target): Promise<void> {
  const read = (path: string) => readFileSync(join(sslDir, path), 'utf8');
  const client = new HttpClient({
    ca: read('certs/ca.pem'),
    certificate: read(`certs/${certname}.pem`),
    privateKey: read(`private_keys/${certname}.pem`),
  });
  const url = `https://localhost:${port}/puppet-ca/v1`;
  const list = () =>
    client.send({ method: 'GET', url: `${url}/certificate_statuses/any`, timeoutMs: 120_000 });
  const first = await timed(list);
  const second = await timed(list);
  const revoking = await timed(() =>
    client.send({
      method: 'PUT',
      url: `${url}/certificate_status/node0.bench.test`,
      headers: { 'content-type': 'application/json' },
      body: '{"desired_state":"revoked"}',
    }),
  );
  client.close();
  console.log(
    `${title}: certificate_statuses of ${nodes + warmUpNodes}: ${first} ms, again ${second} ms; revocation ${revoking} ms`,
  );
}

async function timed(work: () => Promise<{ readonly status: number }>): Promise<number> {
  const began = performance.now();
  const { status } = await work();
  if (status >= 300) throw new Error(`status ${status}`);
  return Math.round(performance.now() - began);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
