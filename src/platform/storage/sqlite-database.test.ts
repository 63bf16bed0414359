import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openSqliteDatabase, sql } from './index.ts';

let directory: string;
let path: string;
const open: Database[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bunraku-storage-'));
  path = join(directory, 'sub', 'database.sqlite');
});

afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
  await rm(directory, { recursive: true, force: true });
});

async function openDatabase(): Promise<Database> {
  const database = await openSqliteDatabase({ path });
  open.push(database);
  return database;
}

async function withTable(): Promise<Database> {
  const database = await openDatabase();
  await database.write([
    sql`create table thing (name text primary key, size integer, body blob, is_good integer)`,
  ]);
  return database;
}

test('what was written is read back, in its types', async () => {
  const database = await withTable();

  await database.write([sql`insert into thing values (${'a'}, ${5}, ${new Uint8Array([1, 2])}, ${true})`]);
  const rows = await database.read(sql`select name, size, body, is_good from thing where name = ${'a'}`);

  expect(rows.map((row) => ({ ...row }))).toEqual([
    { name: 'a', size: 5, body: new Uint8Array([1, 2]), is_good: 1 },
  ]);
});

test('a transaction is undone as a whole, its neighbours in the group are kept', async () => {
  const database = await withTable();
  const insert = (name: string) => sql`insert into thing (name) values (${name})`;

  const outcomes = await Promise.allSettled([
    database.write([insert('one')]),
    database.write([insert('two'), insert('two')]),
    database.write([insert('three')]),
  ]);
  const rows = await database.read(sql`select name from thing order by name`);

  expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { reason: 'conflict' } });
  expect(rows.map((row) => row['name'])).toEqual(['one', 'three']);
});

test('each statement says how many rows it changed and what it returned', async () => {
  const database = await withTable();

  const results = await database.write([
    sql`insert into thing (name) values (${'a'}), (${'b'})`,
    sql`update thing set size = ${1} returning name`,
    sql`delete from thing where name = ${'nobody'}`,
  ]);

  expect(results.map((result) => result.changes)).toEqual([2, 2, 0]);
  expect(results[1]?.rows.map((row) => row['name'])).toEqual(['a', 'b']);
});

test('many transactions at once are all there afterwards', async () => {
  const database = await withTable();

  await Promise.all(
    Array.from({ length: 1000 }, (_, i) =>
      database.write([sql`insert into thing (name) values (${`n${i}`})`]),
    ),
  );
  const rows = await database.read(sql`select count(*) as n from thing`);

  expect(rows[0]?.['n']).toBe(1000);
});

test('an error in the SQL is a bug and no service error', async () => {
  const database = await withTable();

  await expect(database.read(sql`select size from nowhere`)).rejects.toThrow('no such table: nowhere');
});

test('a file that is no database is refused', async () => {
  const broken = join(directory, 'broken.sqlite');
  await writeFile(broken, 'this is no database, however long one looks at it. '.repeat(100));

  await expect(openSqliteDatabase({ path: broken })).rejects.toMatchObject({
    reason: 'unavailable',
    message: `the database thread died: ${broken}: file is not a database`,
  });
});

test('a closed database refuses', async () => {
  const database = await withTable();

  await database.close();

  await expect(database.read(sql`select 1 as one`)).rejects.toMatchObject({ reason: 'unavailable' });
});

test('a thread that dies takes its requests with it, and is replaced', async () => {
  const workerFile = join(directory, 'dying-worker.mjs');
  await writeFile(
    workerFile,
    `import { parentPort, workerData } from 'node:worker_threads';
    parentPort.on('message', ({ id, kind, request }) => {
      if (request?.kind === 'write' && request.statements.length > 0) process.exit(1);
      parentPort.postMessage({ kind: 'done', id, value: kind === 'close' ? null : { results: [] } });
    });`,
  );
  const database = await openSqliteDatabase({ path, workerUrl: pathToFileURL(workerFile) });
  open.push(database);

  await expect(database.write([sql`delete from thing`])).rejects.toMatchObject({ reason: 'unavailable' });
  expect(await database.write([])).toEqual([]);
});

test('nothing acknowledged is lost when the process is killed', async () => {
  await (await withTable()).close();

  for (let round = 0; round < 3; round++) {
    const acknowledged = await writeUntilKilled(path, round, 20 + round * 60);
    const database = await openDatabase();
    const rows = await database.read(sql`select name from thing`);
    const present = new Set(rows.map((row) => row['name']));

    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((name) => !present.has(name))).toEqual([]);
    await database.close();
  }
});

/** Lets a process of its own write rows, kills it hard after `count` acknowledgements, and says which it gave. */
async function writeUntilKilled(file: string, round: number, count: number): Promise<readonly string[]> {
  const script = `
    import { openSqliteDatabase, sql } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
    const database = await openSqliteDatabase({ path: ${JSON.stringify(file)} });
    for (let i = 0; ; i += 3) {
      await Promise.all([0, 1, 2].map(async (j) => {
        const name = '${round}-' + (i + j);
        await database.write([sql\`insert into thing (name) values (\${name})\`]);
        console.log(name);
      }));
    }`;
  const scriptFile = join(directory, 'writer.mts');
  await writeFile(scriptFile, script);
  const child = spawn(process.execPath, [scriptFile], { stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === count) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return acknowledged;
}
