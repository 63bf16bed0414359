/** Commands for people, against a PuppetDB over HTTP. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dbExportCommand } from '../../src/cli/puppetdb/db-export.ts';
import { dbImportCommand } from '../../src/cli/puppetdb/db-import.ts';
import { dbMigrateCommand } from '../../src/cli/puppetdb/db-migrate.ts';
import { dbStatusCommand } from '../../src/cli/puppetdb/db-status.ts';
import { queryCommand } from '../../src/cli/puppetdb/query.ts';
import { runCommand } from '../../src/cli/run-command.testing.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

let puppetDb: RunningPuppetDb;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-people-'));
  puppetDb = await startPuppetDb({ kind: 'sqlite', path: join(directory, 'puppetdb.sqlite') });
  for (const [certname, family] of [
    ['a.example', 'Debian'],
    ['b.example', 'RedHat'],
  ] as const) {
    const facts = {
      certname,
      producer_timestamp: '2026-11-21T10:00:00Z',
      values: { os: { family }, kernel: 'Linux' },
    };
    const payload = Buffer.from(JSON.stringify(facts));
    await puppetDb.puppetDb.submit({ command: 'replace_facts', version: 5, certname, payload });
  }
});

afterAll(async () => {
  await puppetDb.stop();
  rmSync(directory, { recursive: true, force: true });
});

const url = (): readonly string[] => ['--url', puppetDb.url];

describe('query', () => {
  const query = 'inventory[certname, facts.os.family]{ order by certname }';

  test('prints a table', async () => {
    const { exitCode, out } = await runCommand(queryCommand, query, ...url());

    expect(exitCode).toBe(0);
    expect(out).toBe('certname   facts.os.family\na.example  Debian\nb.example  RedHat\n');
  });

  test('prints CSV and JSON', async () => {
    const csv = await runCommand(queryCommand, query, '--format', 'csv', ...url());
    const json = await runCommand(queryCommand, query, '--format', 'json', ...url());

    expect(csv.out).toBe('certname,facts.os.family\na.example,Debian\nb.example,RedHat\n');
    expect(JSON.parse(json.out)).toEqual([
      { certname: 'a.example', 'facts.os.family': 'Debian' },
      { certname: 'b.example', 'facts.os.family': 'RedHat' },
    ]);
  });

  test('takes the AST language and bare values', async () => {
    const { out } = await runCommand(queryCommand, '["from","fact_names"]', ...url());

    expect(out).toBe('value\nkernel\nos\n');
  });

  test('says what PuppetDB says of a bad query', async () => {
    const asked = runCommand(queryCommand, 'nodes{ nosuch = 1 }', ...url());

    await expect(asked).rejects.toThrow(
      /answered with status 400: 'nosuch' is not a queryable object for nodes/,
    );
  });

  test('says that there is no answer', async () => {
    const asked = runCommand(queryCommand, 'nodes{}', '--url', 'http://127.0.0.1:1');

    await expect(asked).rejects.toThrow(/127\.0\.0\.1:1\/pdb\/query\/v4 does not answer/);
  });
});

test('what is exported can be imported', async () => {
  const file = join(directory, 'archive.tgz');
  await runCommand(dbExportCommand, file, ...url());
  const other = await startPuppetDb();

  const { exitCode } = await runCommand(dbImportCommand, file, '--url', other.url);

  expect(exitCode).toBe(0);
  const { out } = await runCommand(
    queryCommand,
    'facts[certname]{ name = "kernel" order by certname }',
    '--url',
    other.url,
  );
  await other.stop();
  expect(out).toBe('certname\na.example\nb.example\n');
  expect(existsSync(`${file}.part`)).toBe(false);
});

test('the state is shown', async () => {
  const { exitCode, out } = await runCommand(dbStatusCommand, ...url());
  const json = await runCommand(dbStatusCommand, '--format', 'json', ...url());

  expect(exitCode).toBe(0);
  expect(out).toMatch(/^PuppetDB 7\.12\.1: running, 0 commands waiting\nactive nodes: 2\n/);
  expect(JSON.parse(json.out)).toMatchObject({ state: 'running', figures: { 'active nodes': 2 } });
});

test('the data is copied to another database', async () => {
  const to = join(directory, 'copy.sqlite');
  const from = join(directory, 'puppetdb.sqlite');

  const { exitCode, out } = await runCommand(
    dbMigrateCommand,
    '--data',
    directory,
    '--from',
    from,
    '--to',
    to,
  );

  expect(exitCode).toBe(0);
  expect(out).toMatch(/^pdb_nodes +2\n/);
  expect(out).toMatch(/pdb_facts +4\n/);
});
