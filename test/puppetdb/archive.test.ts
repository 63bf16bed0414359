/** Archives: what is exported of one PuppetDB is in another one after its import. */

import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../support/backends.ts';
import { comparableRows } from './comparable.ts';
import { recordedCommands } from './recorded-fleet.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

const queries = [
  'nodes[certname, catalog_environment, facts_environment, latest_report_hash, latest_report_status]{}',
  'facts{}',
  'catalogs[certname, hash, version, environment, producer, code_id, transaction_uuid, producer_timestamp]{}',
  'resources{}',
  'edges{}',
  'reports[hash, certname, status, noop, logs, metrics, resource_events, end_time, type]{}',
  'events[certname, report, status, timestamp, resource_type, resource_title, old_value, new_value, file]{}',
  'package_inventory{}',
  '["from","catalog_inputs"]',
];

const installed = backends.filter(({ isInstalled }) => isInstalled);

describe.each(installed.map((backend) => [backend.name, backend] as const))('%s', (_name, backend) => {
  let first: RunningPuppetDb;
  let second: RunningPuppetDb;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const { location, stop } = await backend.start();
    first = await startPuppetDb(location);
    second = await startPuppetDb();
    stops.push(first.stop, second.stop, stop);
    for (const { command, version, certname, body } of recordedCommands()) {
      // The largest make it slow and show nothing more.
      if (command === 'deactivate_node' || body.length > 300_000) continue;
      await first.puppetDb.submit({
        command,
        version: Number(version),
        certname,
        payload: Buffer.from(body),
      });
    }
    const packages = { certname: 'p.example', producer_timestamp: '2026-11-21', values: { a: 4096.5 } };
    await submit('replace_facts', 5, { ...packages, package_inventory: [['bash', '5', 'apt']] });
    await submit('configure_expiration', 1, {
      certname: 'p.example',
      producer_timestamp: '2026-11-21',
      expire: { facts: false },
    });
    await submit('replace_catalog_inputs', 1, {
      certname: 'p.example',
      producer_timestamp: '2026-11-21',
      catalog_uuid: 'u',
      inputs: [['hiera', 'a::b']],
    });
  });

  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  async function submit(command: string, version: number, body: unknown): Promise<void> {
    const payload = Buffer.from(JSON.stringify(body));
    await first.puppetDb.submit({ command, version, certname: 'p.example', payload });
  }

  test('an archive holds the commands that make the same', async () => {
    const reply = await fetch(`${first.url}/pdb/admin/v1/archive`);
    const archive = new Uint8Array(await reply.arrayBuffer());
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename=puppetdb-export-.*\.tgz$/,
    );
    const names = await namesIn(archive);
    expect(names[0]).toBe('puppetdb-bak/export-metadata.json');
    expect(names).toContain('puppetdb-bak/facts/p.example.json');

    const imported = await upload(second.url, archive);
    expect(imported).toEqual([200, '{"ok":true}']);
    // Again, as after an interruption: nothing is there twice.
    expect(await upload(second.url, archive)).toEqual([200, '{"ok":true}']);

    for (const query of queries) {
      const [mine, theirs] = await Promise.all([first.puppetDb.query(query), second.puppetDb.query(query)]);
      expect(comparableRows(theirs), query).toEqual(comparableRows(mine));
      expect(mine.length, query).toBeGreaterThan(0);
    }
    const again = await fetch(`${second.url}/pdb/admin/v1/archive`);
    expect(await namesIn(new Uint8Array(await again.arrayBuffer()))).toEqual(
      expect.arrayContaining([...names]),
    );
  });
});

describe('bad archives', () => {
  let puppetDb: RunningPuppetDb;

  beforeAll(async () => {
    puppetDb = await startPuppetDb();
  });

  afterAll(() => puppetDb.stop());

  test.each([
    ['no gzip', Buffer.from('this is no archive'), /cannot be read/],
    ['no tar', gzipSync(Buffer.alloc(2000, 'x')), /cannot be read/],
    ['cut short', gzipSync(Buffer.alloc(20_000)).subarray(0, 20), /cannot be read/],
    ['nothing in it', gzipSync(Buffer.alloc(1024)), /Unable to find export metadata file/],
  ])('%s', async (_what, archive, message) => {
    const [status, text] = await upload(puppetDb.url, archive);

    expect(status).toBe(400);
    expect(text).toMatch(message);
  });

  test('an archive that is sent without a form is taken as well', async () => {
    const tar = pack();
    tar.entry({ name: 'puppetdb-bak/export-metadata.json' }, '{"command_versions":{"replace_facts":5}}');
    tar.entry(
      { name: 'puppetdb-bak/facts/a.example.json' },
      '{"certname":"a.example","producer_timestamp":"2026-11-21","values":{"a":1}}',
    );
    tar.finalize();
    const chunks: Uint8Array[] = [];
    for await (const chunk of tar) chunks.push(chunk as Uint8Array);

    const reply = await fetch(`${puppetDb.url}/pdb/admin/v1/archive`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(gzipSync(Buffer.concat(chunks))),
    });

    expect(reply.status).toBe(200);
    expect(await puppetDb.puppetDb.query('facts[certname, value]{}')).toEqual([
      { certname: 'a.example', value: 1 },
    ]);
  });
});

async function upload(url: string, archive: Uint8Array): Promise<readonly [number, string]> {
  const form = new FormData();
  form.set('archive', new Blob([new Uint8Array(archive)]), 'archive.tgz');
  const reply = await fetch(`${url}/pdb/admin/v1/archive`, { method: 'POST', body: form });
  return [reply.status, await reply.text()];
}

async function namesIn(archive: Uint8Array): Promise<readonly string[]> {
  const names: string[] = [];
  const tar = extract();
  tar.end(gunzipSync(archive));
  for await (const entry of tar) {
    names.push(entry.header.name);
    entry.resume();
  }
  return names;
}
