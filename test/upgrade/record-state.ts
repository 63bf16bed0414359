/**
 * `node test/upgrade/record-state.ts NAME`: keeps the directories of an installation under `test/recorded/state/NAME`. With a
 * name that ends in `-postgresql` PuppetDB is in PostgreSQL, and its dump is kept, too.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Installation } from '../../demo/installation.ts';
import { buildIfChanged } from '../../scripts/bundle.ts';
import { postgresPrograms, type RunningPostgres, startPostgres } from '../support/running-postgres.ts';
import { installationIn, recordedAgent, recordedDirectories, recordedUser } from './recorded-installation.ts';

/** Large, and each start makes it again. */
const left = 'compiled-program';

const project = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const [name] = process.argv.slice(2);
if (name === undefined || !/^[\w.-]+$/.test(name)) throw new Error('name the recording');
await record(name, join(project, 'test', 'recorded', 'state', name));

async function record(recording: string, target: string): Promise<void> {
  if (existsSync(target)) throw new Error(`${target} is there: recordings are never changed`);
  await buildIfChanged();
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-record-'));
  const postgres = recording.endsWith('-postgresql') ? await startPostgres({ isDurable: false }) : undefined;
  try {
    const puppetDbUrl = await databaseOf(postgres);
    const installation = await installationIn({ directory, program: project, project, puppetDbUrl });
    await play(installation);
    mkdirSync(target, { recursive: true });
    for (const each of recordedDirectories) pack(directory, each, join(target, `${each}.tar.gz`));
    if (puppetDbUrl !== undefined) writeFileSync(join(target, 'puppetdb.sql'), dump(puppetDbUrl));
  } finally {
    await postgres?.stop();
  }
  rmSync(directory, { recursive: true, force: true });
}

/** An installation at work, which is stopped while a compile server has reports that the primary lacks. */
async function play(installation: Installation): Promise<void> {
  const { directory, ports } = installation.options;
  await installation.startPrimary();
  await installation.startCompileServer(0);
  await installation.startCompileServer(1);
  const data = ['--data', installation.primaryDirectory];
  await installation.deploy();
  execFileSync(
    process.execPath,
    [
      join(project, 'dist', 'main.js'),
      'user',
      'create',
      recordedUser.login,
      '--role',
      'Administrators',
      ...data,
    ],
    { input: `${recordedUser.password}\n` },
  );
  const agent = recordedAgent(directory, ports.compileServers[0] ?? 0);
  await agent.run();
  await installation.primary?.stop();
  await agent.run();
  agent.close();
  await installation.stop();
}

function pack(directory: string, name: string, file: string): void {
  const from = ['--directory', directory, `--exclude=${left}`, name];
  execFileSync('tar', ['--create', '--gzip', '--owner=0', '--group=0', '--file', file, ...from]);
}

async function databaseOf(postgres: RunningPostgres | undefined): Promise<string | undefined> {
  const location = await postgres?.createDatabase();
  return location?.kind === 'postgresql' ? location.url : undefined;
}

function dump(url: string): Buffer {
  const words = ['--no-owner', '--no-privileges', `--dbname=${url}`];
  return execFileSync(join(postgresPrograms ?? '', 'pg_dump'), words, { maxBuffer: 64 * 1024 * 1024 });
}
