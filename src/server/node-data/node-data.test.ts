import { expect, test } from 'vitest';
import { type Logger, silentLogger } from '../../platform/log/index.ts';
import type { Message } from '../../services/outbox/index.ts';
import { storedFacts } from '../../services/puppetdb-terminus/index.ts';
import { decodeReport } from '../../services/reports/index.ts';
import { nodeData } from './node-data.ts';

const certname = 'a.example.net';

function dataWith(submitted: Message[], warned: unknown[]) {
  const log: Logger = { ...silentLogger, warn: (fields, message) => void warned.push([fields, message]) };
  return nodeData({
    sink: {
      submit: async (message) => void submitted.push(message),
      findContent: () => Promise.resolve(undefined),
    },
    producer: 'puppet.example.net',
    now: () => new Date('2026-11-21T10:00:00.000Z'),
    hasUnchangedResources: false,
    log,
  });
}

test('bytes that are not UTF-8 go to PuppetDB as U+FFFD, with a warning', async () => {
  const submitted: Message[] = [];
  const warned: unknown[] = [];
  const data = dataWith(submitted, warned);
  const facts = { certname, values: {}, producedAt: undefined, expiresAt: undefined };
  const trusted = { authenticated: 'remote', certname, extensions: {}, external: {} } as const;
  const log = { level: 'notice', message: 'caf\udce9', source: 'x', tags: [], time: '2026-11-21T10:00:00Z' };
  const report = {
    host: certname,
    time: '2026-11-21T10:00:00Z',
    logs: [log],
    metrics: {},
    resource_statuses: {},
    status: 'unchanged',
    environment: 'e',
  };

  await data.facts.save({ ...facts, exactValues: '{"a":"caf\\udce9"}' }, 'production', trusted);
  const large = { ...facts, exactValues: '{"a":"caf\\udce9"}' };
  await data.facts.save({ ...large, stored: storedFacts(large, true) }, 'production', trusted);
  await data.facts.save({ ...facts, exactValues: '{"a":"\\\\udce9 \u00fc"}' }, 'production', trusted);
  const decoded = decodeReport(report, certname);
  await data.reports.process(decoded, data.reports.make(decoded, ''));

  const [bytes, largeBytes, text, sent] = submitted.map(({ payload }) => JSON.parse(payload));
  expect(bytes.values.a).toBe('caf\ufffd');
  expect(largeBytes.values.a).toBe('caf\ufffd');
  expect(text.values.a).toBe('\\udce9 \u00fc');
  expect(sent.logs[0].message).toBe('caf\ufffd');
  expect(warned).toEqual(
    ['replace_facts', 'replace_facts', 'store_report'].map((command) => [
      { certname, command },
      'ignored invalid UTF-8 byte sequences in data for PuppetDB',
    ]),
  );
});
