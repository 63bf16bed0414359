/** `bunraku db migrate` */

import { resolve } from 'node:path';
import type { Settings } from '../../platform/settings/index.ts';
import { type DatabaseLocation, lockDirectory } from '../../platform/storage/index.ts';
import { puppetDbLocation } from '../../server/node-data/own-puppetdb.ts';
import { type CopiedCount, copyPuppetDb } from '../../services/puppetdb/index.ts';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { lastOf, readCommandLine, refuseWords } from '../own-options.ts';

export const dbMigrateCommand: Command = {
  name: 'db migrate',
  summary: "Copy PuppetDB's data to another database: from SQLite to PostgreSQL, or back",
  usage: `
Usage: bunraku db migrate --to DATABASE [--from DATABASE] [--SETTING VALUE ...]

Run it on the primary, with the settings that it runs with, while it is stopped. Run again after an interruption, it
goes on. It fails unless both have the same number of rows in each table in the end; the old database stays as it is.

  --to DATABASE    An empty database, postgresql://USER@HOST/DATABASE..., or the file of an SQLite database
  --from DATABASE  The same for where the data is (default: where the settings say)
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: ['--to', '--from'], flags: [] });
    const [to, from] = [lastOf(line, '--to'), lastOf(line, '--from')];
    if (to === undefined) throw new UsageError('say where to with --to');
    refuseWords(line.positional);
    const lock = lockDirectory(line.settings.stateDir);
    try {
      const source = from === undefined ? puppetDbLocation(line.settings) : locationOf(from);
      const counts = await copy(source, locationOf(to), io);
      for (const { table, rows } of counts) io.stdout(`${table.padEnd(24)} ${rows}\n`);
      io.stdout(`Both have the same number of rows. ${nextStep(locationOf(to), line.settings)}\n`);
      return 0;
    } finally {
      lock.release();
    }
  },
};

/** The primary has one place for an SQLite database. */
function nextStep(to: DatabaseLocation, settings: Settings): string {
  if (to.kind === 'postgresql') return `Set puppetdb_database to ${to.url} and start the primary.`;
  const usual = puppetDbLocation({ ...settings, puppetDbDatabase: '' });
  const isThere = usual.kind === 'sqlite' && usual.path === to.path;
  const move = isThere || usual.kind !== 'sqlite' ? '' : `Move ${to.path} to ${usual.path}, l`;
  return `${move === '' ? 'L' : move}eave puppetdb_database empty and start the primary.`;
}

/** Copying has no time limit. */
function locationOf(text: string): DatabaseLocation {
  if (/^postgres(ql)?:\/\//.test(text)) {
    return { kind: 'postgresql', url: text, connections: 2, statementTimeoutMs: 0 };
  }
  return { kind: 'sqlite', path: resolve(text) };
}

async function copy(
  from: DatabaseLocation,
  to: DatabaseLocation,
  { isTerminal, signal, stderr }: CommandIo,
): Promise<readonly CopiedCount[]> {
  const onProgress = (table: string, rows: number): void => {
    if (isTerminal) stderr(`\r${table} ${rows}\u001b[K`);
  };
  try {
    return await copyPuppetDb({ from, to, onProgress, signal });
  } finally {
    if (isTerminal) stderr('\r\u001b[K');
  }
}
