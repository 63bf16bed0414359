import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../platform/log/index.ts';
import { loadSettings, parseFlags } from '../platform/settings/index.ts';
import { layFoundation } from './foundation.ts';

test('a database that was emptied is told, a new one and a whole one are not', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-foundation-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const told: string[] = [];
  const destination = { write: (line: string) => void told.push(line) };
  const log = createLogger({ level: 'error', format: 'json', destination });
  const { values: flags } = parseFlags(['--certname', 'primary.example.net', '--data', directory]);
  const { settings } = loadSettings({ flags, environment: {}, hostname: 'h', readFile: () => undefined });
  const file = join(settings.stateDir, 'bunraku.sqlite');
  const start = async () => {
    const { database, disks, processes } = await layFoundation(settings, log, [], { hasReaderThread: false });
    await disks.stop();
    await database.close();
    processes.close();
  };

  await start();
  await start();
  expect(told).toEqual([]);
  writeFileSync(file, '');
  await start();

  expect(told).toHaveLength(1);
  expect(JSON.parse(told[0] ?? '')).toMatchObject({
    file,
    msg: 'database was empty: going on with a new one, restore it from a backup',
  });
});
