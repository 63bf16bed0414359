/**
 * How long one agent's large report stops the main thread, from the first byte to the disk.
 *
 * Part of `npm run bench -- hostile`. The client runs in a process of its own.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpServer, defaultRules, type HttpServer } from '../src/platform/http/index.ts';
import { silentLogger } from '../src/platform/log/index.ts';
import { migrate, openSqliteDatabase } from '../src/platform/storage/index.ts';
import { reportThread } from '../src/server/agents/agent-reports.ts';
import { nodeData, throughOutbox } from '../src/server/node-data/node-data.ts';
import { workerFile } from '../src/server/worker-files.ts';
import { Outbox, OutboxStore, outboxMigrations } from '../src/services/outbox/index.ts';
import { ReportService, reportReader, reportRoutes } from '../src/services/reports/index.ts';

/** A compile server's way of a report: into the outbox. @param isApart - whether a thread reads large ones, as it does */
export async function reportServer(
  isApart: boolean,
): Promise<{ readonly http: HttpServer; stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-'));
  const database = await openSqliteDatabase({
    path: join(directory, 'bench.sqlite'),
    workerUrl: workerFile('sqlite-worker'),
    hasReaderThread: false,
  });
  await migrate(database, outboxMigrations);
  const now = () => new Date();
  const store = new OutboxStore(database, now);
  const destination = { nodesAtOnce: 1, send: () => Promise.reject(new Error('away')) };
  const outbox = new Outbox({ store, destination, log: silentLogger, retryIntervalMs: 3_600_000 });
  const options = { producer: 'bench.example', hasUnchangedResources: false };
  const { reports } = nodeData({ ...options, sink: throughOutbox(outbox, store), now, log: silentLogger });
  const service = new ReportService({
    reports: ['puppetdb'],
    processors: new Map([['puppetdb', reports]]),
    log: silentLogger,
  });
  const thread = reportThread({ ...options, wanted: ['puppetdb'] });
  const environments = { hasEnvironment: () => true };
  const routes = reportRoutes(
    service,
    environments,
    silentLogger,
    isApart ? reportReader(thread) : undefined,
  );
  const http = createHttpServer({
    routes: routes.map((route) => ({
      ...route,
      allow: { kind: 'anyone' } as const,
      maxAnonymousBodyBytes: route.maxBodyBytes,
    })),
    authorization: { rules: defaultRules, allowHeaderCertInfo: false },
    limits: { maxAnonymousBodyBytes: 128 * 1024 * 1024 },
    log: silentLogger,
  });
  return {
    http,
    async stop() {
      await http.drain(0);
      await thread.stop();
      await database.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** @returns the status of the answer */
export function sendReport(port: number, megabytes: number): Promise<number> {
  const time = '2026-11-24T00:00:00.000Z';
  const event = { name: 'x', property: 'content', status: 'success', time, message: 'm'.repeat(700) };
  const statuses = Array.from({ length: megabytes * 1000 }, (_, index) => [
    `File[/srv/${index}]`,
    { resource_type: 'File', title: `/srv/${index}`, skipped: false, time, events: [event], tags: ['file'] },
  ]);
  const body = JSON.stringify({
    host: 'a.example',
    environment: 'production',
    status: 'changed',
    time,
    logs: [],
    metrics: {},
    resource_statuses: Object.fromEntries(statuses) as unknown,
  });
  const path = '/puppet/v3/report/a.example?environment=production';
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method: 'PUT', path, headers }, (reply) => {
      reply.resume();
      reply.once('end', () => resolve(reply.statusCode ?? 0));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
