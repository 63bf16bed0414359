import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpRequest } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import {
  type ReportProcessor,
  ReportService,
  type ReportThread,
  reportReader,
  reportRoutes,
} from '../../services/reports/index.ts';
import { reportThread } from './agent-reports.ts';

const recorded = new URL('../../services/reports/recorded/', import.meta.url);
const sent = readFileSync(new URL('report.json', recorded), 'utf8');
const yaml = readFileSync(new URL('report.yaml', recorded), 'utf8');
const certname = 'web01.example.com';
const wanted = ['puppetdb', 'store', 'log'];

function threadOf(names: readonly string[] = wanted): ReportThread {
  const thread = reportThread({ wanted: names, producer: 'primary.example', hasUnchangedResources: false });
  onTestFinished(() => thread.stop());
  return thread;
}

/** A body of its own: the thread takes it. */
function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

test('the thread makes of a report what each processor needs, and says what is wrong with it as this thread does', async () => {
  const reader = reportReader(threadOf());

  const { head, made } = await reader.read(bytesOf(sent), 'json', certname);
  await expect(reader.read(bytesOf('{"host":'), 'json', certname)).rejects.toMatchObject({
    reason: 'bad-request',
    message: 'The request body is invalid: Could not intern from json: unexpected token at \'{"host":\'',
  });
  const again = await reader.read(bytesOf(sent), 'json', certname);

  const { environment, host, logs, status } = JSON.parse(sent);
  expect(head).toEqual({ certname, environment, host, status });
  expect(made.get('store')).toEqual({ value: yaml });
  expect(made.get('log')).toMatchObject({ value: logs });
  expect(made.get('puppetdb')).toMatchObject({
    value: { hadBytes: false, message: { command: 'store_report', certname } },
  });
  expect(again.head).toEqual(head);
});

test('a processor that cannot take a report fails alone', async () => {
  const { environment: _none, ...others } = JSON.parse(sent);

  const { made } = await reportReader(threadOf()).read(bytesOf(JSON.stringify(others)), 'json', certname);

  expect(made.get('puppetdb')).toMatchObject({
    error: { message: expect.stringContaining('Environment is nil') },
  });
  expect(made.get('log')).toMatchObject({ value: expect.any(Array) });
});

test('what is large is read by the thread, what is small is not', async () => {
  const kept: unknown[] = [];
  const processor: ReportProcessor = {
    make: () => 'made here',
    process: async (_head, made) => void kept.push(made),
  };
  const service = new ReportService({
    reports: ['store'],
    processors: new Map([['store', processor]]),
    log: silentLogger,
  });
  const [route] = reportRoutes(
    service,
    { hasEnvironment: () => true },
    silentLogger,
    reportReader(threadOf(['store'])),
  );
  const put = (body: string) => {
    const request = {
      params: { certname },
      query: new URLSearchParams({ environment: 'e' }),
      headers: { 'content-type': 'application/json' },
      body: async () => Buffer.from(bytesOf(body).buffer),
    };
    return route?.handle(request as unknown as HttpRequest);
  };

  const small = await put(sent);
  const large = await put(sent.replace('{', `{${' '.repeat(256 * 1024)}`));

  expect([small?.status, large?.status]).toEqual([200, 200]);
  expect(kept).toEqual(['made here', yaml]);
});
