/** Queries that could hurt: patterns that never end, answers that are larger than memory should be. */

import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../support/backends.ts';
import { probeCommands } from './probe-node.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';
import { sentCommand } from './sent-command.ts';

describe.each(backends.map((backend) => [backend.name, backend] as const))('%s', (_name, backend) => {
  let puppetDb: RunningPuppetDb;
  let stopDatabase: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    if (!backend.isInstalled) return;
    const { location, stop } = await backend.start();
    stopDatabase = stop;
    puppetDb = await startPuppetDb(location);
    for (let sender = 0; sender < 60; sender++) {
      const { command, version, certname } = sentCommand(sender, 0, 0);
      const values = { text: `${'a'.repeat(40)}!`, large: 'x'.repeat(50_000) };
      const payload = Buffer.from(
        JSON.stringify({
          certname,
          environment: 'e',
          producer_timestamp: '2026-11-21',
          producer: 'p',
          values,
        }),
      );
      await puppetDb.puppetDb.submit({ command, version, certname, payload });
    }
  });

  afterAll(async () => {
    if (!backend.isInstalled) return;
    await puppetDb.stop();
    await stopDatabase?.();
  });

  test.runIf(backend.isInstalled).each(['^(a+)+$', '(.*a){25}$'])(
    'the pattern %s is matched in linear time',
    async (pattern) => {
      const rows = await puppetDb.puppetDb.query(`facts[certname]{ name = "text" and value ~ "${pattern}" }`);

      expect(rows).toEqual([]);
    },
  );

  test.runIf(backend.isInstalled)('a long answer comes in parts, and whole', async () => {
    const query = encodeURIComponent('["extract",["certname","value"],["=","name","large"]]');
    const options = { order_by: '[{"field":"certname"}]' };
    const search = `query=${query}&${new URLSearchParams(options)}`;

    const { parts, text } = await slowly(`${puppetDb.url}/pdb/query/v4/facts?${search}`);

    const rows = JSON.parse(text) as readonly { certname: string; value: string }[];
    const names = rows.map(({ certname }) => certname);
    expect(parts).toBeGreaterThan(10);
    expect(rows).toHaveLength(60);
    expect(names).toEqual(names.toSorted());
    expect(rows.every(({ value }) => value.length === 50_000)).toBe(true);
  });

  test.runIf(backend.isInstalled)(
    'a client that goes away in the middle of an answer does not delay others',
    async () => {
      const url = `${puppetDb.url}/pdb/query/v4/facts`;
      await Promise.all(Array.from({ length: 8 }, () => abandoned(url)));

      const rows = await puppetDb.puppetDb.query('nodes[count()]{}');

      expect(rows).toEqual([{ count: 60 }]);
    },
  );

  test.runIf(backend.isInstalled)('a number that no database keeps spoils no answer', async () => {
    const sent = probeCommands().find(({ command }) => command === 'store_report');
    const body = sent?.body.replace('"value":1,', '"value":1e200000,') ?? '';
    await puppetDb.puppetDb.submit({
      command: 'store_report',
      version: 8,
      certname: 'probe.test',
      payload: Buffer.from(body),
    });

    const reply = await fetch(
      `${puppetDb.url}/pdb/query/v4/reports?query=${encodeURIComponent('["=","certname","probe.test"]')}`,
    );

    expect(await reply.text()).toMatch(/"value":\s?1e200000/);
  });

  test.runIf(backend.isInstalled)('the last events of latest reports come in order', async () => {
    const sent = probeCommands().find(({ command }) => command === 'store_report');
    const payload = Buffer.from(sent?.body ?? '');
    await puppetDb.puppetDb.submit({ command: 'store_report', version: 8, certname: 'probe.test', payload });
    const latest = 'certname = "probe.test" and latest_report? = true';

    const all = (await puppetDb.puppetDb.query(`events[timestamp]{ ${latest} }`)) as readonly {
      timestamp: string;
    }[];
    const last = await puppetDb.puppetDb.query(
      `events[timestamp]{ ${latest} order by timestamp desc limit 3 }`,
    );
    const condition = ['and', ['=', 'certname', 'probe.test'], ['=', 'latest_report?', true]];
    const fields = ['timestamp', ['function', 'count']];
    const counted = await puppetDb.puppetDb.query(
      JSON.stringify([
        'from',
        'events',
        ['extract', fields, condition, ['group_by', 'timestamp']],
        ['order_by', [['timestamp', 'desc']]],
        ['limit', 1],
      ]),
    );

    const [first, ...others] = all.toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
    expect(last).toEqual([first, ...others].slice(0, 3));
    expect(counted).toEqual([
      { ...first, count: all.filter(({ timestamp }) => timestamp === first?.timestamp).length },
    ]);
    expect(others).not.toEqual([]);
  });
});

/** Reads an answer with pauses. */
function slowly(url: string): Promise<{ parts: number; text: string }> {
  return new Promise((resolve, reject) => {
    get(url, (reply) => {
      let [parts, text] = [0, ''];
      reply.setEncoding('utf8');
      reply.on('data', (part: string) => {
        parts++;
        text += part;
        reply.pause();
        setImmediate(() => reply.resume());
      });
      reply.on('end', () => resolve({ parts, text }));
      reply.on('error', reject);
    }).on('error', reject);
  });
}

/** Resolves when the first part has come and the connection is cut. */
function abandoned(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, (reply) => {
      reply.once('data', () => {
        request.destroy();
        resolve();
      });
    });
    request.on('error', reject);
  });
}
