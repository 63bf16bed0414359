import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import { createServer } from '../../lib/node-http.ts';
import { type Logger, silentLogger } from '../../platform/log/index.ts';
import { decodeReport } from '../../services/reports/index.ts';
import { createReportService, reportAlerts } from './agent-reports.ts';

const recorded = new URL('../../services/reports/recorded/', import.meta.url);
const sent = readFileSync(new URL('report.json', recorded), 'utf8');
const yaml = readFileSync(new URL('report.yaml', recorded), 'utf8');
const puppetDb = { make: () => undefined, process: () => Promise.resolve() };

let directory: string;
let lines: string[];
let asked: { readonly message: IncomingMessage; readonly body: string }[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-reports-'));
  lines = [];
  asked = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

function serviceFor(reports: string, others: Readonly<Record<string, string | boolean>> = {}) {
  const keep: Logger['warn'] = (fields, message) =>
    lines.push(fields['err'] instanceof Error ? `${message}: ${fields['err'].message}` : message);
  const log: Logger = { ...silentLogger, warn: keep, error: keep };
  const missing = join(directory, 'missing.pem');
  const settings = {
    hostCert: missing,
    hostPrivKey: missing,
    localCaCert: missing,
    reportDir: directory,
    reportIncludeSystemStore: false,
    reportUrl: '',
    reports: reports.split(','),
    ...others,
  };
  return createReportService(settings, puppetDb, log);
}

/** Takes reports and answers with a status. */
async function collector(status: number) {
  const server = createServer((message, reply) => {
    void text(message).then((body) => {
      asked.push({ message, body });
      reply.writeHead(status).end('thank you');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

const report = decodeReport(JSON.parse(sent), 'web01.example.com');

test('reports are sent to reporturl and kept as files, both as YAML', async () => {
  const { port, server } = await collector(200);
  const service = serviceFor('http,store', {
    reportUrl: `http://me:secret@127.0.0.1:${port}/reports/upload`,
  });

  const answer = await service.receive(report, sent);

  const [request] = asked;
  expect(answer).toEqual(['http', 'store']);
  expect(request?.message).toMatchObject({ method: 'POST', url: '/reports/upload' });
  expect(request?.message.headers).toMatchObject({
    'content-type': 'application/x-yaml',
    'content-length': String(Buffer.byteLength(yaml)),
    authorization: `Basic ${Buffer.from('me:secret').toString('base64')}`,
  });
  expect(request?.body).toBe(yaml);
  const [file = ''] = readdirSync(join(directory, 'web01.example.com'));
  expect(readFileSync(join(directory, 'web01.example.com', file), 'utf8')).toBe(yaml);
  expect(lines).toEqual([]);
  server.close();
});

test('a report that is not taken is logged without the password, and the agent is answered', async () => {
  const { port, server } = await collector(503);
  const service = serviceFor('http', { reportUrl: `http://me:secret@127.0.0.1:${port}/reports` });

  const refused = await service.receive(report, sent);
  server.close();
  await once(server, 'close');
  const away = await service.receive(report, sent);

  expect([refused, away]).toEqual([['http'], ['http']]);
  expect(lines).toEqual([
    `Unable to submit report to http://127.0.0.1:${port}/reports [503] Service Unavailable`,
    `report processor failed: connect ECONNREFUSED 127.0.0.1:${port}`,
  ]);
});

test('over HTTPS the server has to show a certificate of the Puppet CA', async () => {
  const authority = new OpensslAuthority('Puppet CA');
  const other = new OpensslAuthority('Other CA');
  const { certificate, privateKey } = authority.issue('localhost');
  const server = createTlsServer({ cert: certificate, key: privateKey }, (message, reply) => {
    message.resume();
    reply.end();
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const reportUrl = `https://localhost:${(server.address() as AddressInfo).port}/`;

  const caOf = (name: string, pem: string) => {
    writeFileSync(join(directory, name), pem);
    return { reportUrl, localCaCert: join(directory, name) };
  };
  await serviceFor('http', caOf('ca.pem', authority.certificate)).receive(report, sent);
  const believed = [...lines];
  await serviceFor('http', caOf('other.pem', other.certificate)).receive(report, sent);

  expect(believed).toEqual([]);
  expect(lines).toEqual([expect.stringContaining('report processor failed: unable to verify')]);
  server.close();
  authority.remove();
  other.remove();
});

test('processors that do not exist are named at the start and in the status', async () => {
  const service = serviceFor('puppetdb,foreman,tagmail');

  const started = [...lines];
  await service.receive(report, sent);

  expect(started).toEqual([
    "No report named 'foreman': the setting reports knows http, log, puppetdb, store and none",
    "No report named 'tagmail': the setting reports knows http, log, puppetdb, store and none",
  ]);
  expect(reportAlerts(service)).toMatchObject([
    { severity: 'warning', message: started[0] },
    { severity: 'warning', message: started[1] },
  ]);
  expect(lines.slice(2)).toEqual(["No report named 'foreman'", "No report named 'tagmail'"]);
  expect(reportAlerts(serviceFor('none'))).toEqual([]);
});
