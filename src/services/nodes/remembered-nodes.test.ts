import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../platform/storage/index.ts';
import { RememberedNodes, rememberedNodeMigrations } from './remembered-nodes.ts';

interface Node {
  readonly classes: Readonly<Record<string, null>>;
}

const failure = new ServiceError('compile-failed', 'Failed to find a.example.com via exec');
const signal = new AbortController().signal;
const request = { certname: 'a.example.com' };
const web: Node = { classes: { web: null } };

let directory = '';
let database: Database;
let state = { isAway: false, answer: web as Node | undefined | Error | 'hangs' };
let lines: Record<string, unknown>[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-remembered-'));
  database = await openSqliteDatabase({
    path: join(directory, 'db.sqlite'),
    workerUrl: new URL('../../platform/storage/sqlite-worker.ts', import.meta.url),
    hasReaderThread: false,
  });
  await migrate(database, rememberedNodeMigrations);
  state = { isAway: false, answer: web };
  lines = [];
});
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

function remembered(
  now: Date | (() => Date) = new Date(0),
  kind: 'classification' | 'trusted external' = 'classification',
): RememberedNodes<typeof request, Node> {
  return new RememberedNodes({
    kind,
    nodes: {
      find: (_request, aborted) =>
        state.answer === 'hangs'
          ? new Promise((_, reject) => aborted.addEventListener('abort', () => reject(aborted.reason)))
          : state.answer instanceof Error
            ? Promise.reject(state.answer)
            : Promise.resolve(state.answer),
    },
    database,
    isAway: () => Promise.resolve(state.isAway),
    log: { ...silentLogger, warn: (fields) => void lines.push({ ...fields }) },
    now: typeof now === 'function' ? now : () => now,
  });
}

test('what the classifier says is what counts while it can be asked', async () => {
  const nodes = remembered();

  expect(await nodes.find(request, signal)).toEqual(web);
  state.answer = { classes: { db: null } };
  expect(await nodes.find(request, signal)).toEqual({ classes: { db: null } });
  state.answer = failure;
  await expect(nodes.find(request, signal)).rejects.toThrow(failure);
});

test('its last answer counts while it is away, also after a restart, and the age is told', async () => {
  await remembered().find(request, signal);
  state = { isAway: true, answer: failure };

  const answer = await remembered(new Date(90_000)).find(request, signal);

  expect(answer).toEqual(web);
  expect(lines).toMatchObject([{ certname: 'a.example.com', ageSeconds: 90 }]);
});

test('a node that it never answered for fails as it would without memory', async () => {
  state = { isAway: true, answer: failure };

  await expect(remembered().find(request, signal)).rejects.toThrow(failure);
});

test('a node that it knows no more is forgotten', async () => {
  const nodes = remembered();
  await nodes.find(request, signal);
  state.answer = undefined;
  expect(await nodes.find(request, signal)).toBeUndefined();
  state = { isAway: true, answer: failure };

  await expect(nodes.find(request, signal)).rejects.toThrow(failure);
});

test('a classifier that hangs because what it asks is away is not waited for', async () => {
  const nodes = remembered();
  await nodes.find(request, signal);
  state = { isAway: true, answer: 'hangs' };

  expect(await nodes.find(request, signal)).toEqual(web);
});

test('what it knows no more is forgotten, also when it was remembered before a restart', async () => {
  await remembered().find(request, signal);
  state.answer = undefined;
  const nodes = remembered();
  await nodes.find(request, signal);
  state = { isAway: true, answer: failure };

  await expect(nodes.find(request, signal)).rejects.toThrow(failure);
});

test('what different programs say of one node is kept apart', async () => {
  await remembered().find(request, signal);
  state.answer = { classes: { db: null } };
  await remembered(new Date(0), 'trusted external').find(request, signal);
  state = { isAway: true, answer: failure };

  expect(await remembered().find(request, signal)).toEqual(web);
  expect(await remembered(new Date(0), 'trusted external').find(request, signal)).toEqual({
    classes: { db: null },
  });
});

test('nodes not requested for a month are forgotten, of one program only', async () => {
  await remembered(new Date(0), 'trusted external').find(request, signal);
  let day = 0;
  const nodes = remembered(() => new Date(day * 86_400_000));
  await nodes.find(request, signal);
  await nodes.find({ certname: 'b.example.com' }, signal);
  for (day = 1; day <= 31; day += 1) await nodes.find({ certname: 'b.example.com' }, signal);
  state = { isAway: true, answer: failure };

  await expect(nodes.find(request, signal)).rejects.toThrow(failure);
  expect(await nodes.find({ certname: 'b.example.com' }, signal)).toEqual(web);
  expect(await remembered(new Date(0), 'trusted external').find(request, signal)).toEqual(web);
});

test('nothing is forgotten because nothing could be asked for long', async () => {
  let day = 0;
  const nodes = remembered(() => new Date(day * 86_400_000));
  await nodes.find(request, signal);
  await nodes.find({ certname: 'b.example.com' }, signal);
  state = { isAway: true, answer: failure };
  day = 60;
  await nodes.find({ certname: 'b.example.com' }, signal);
  state = { isAway: false, answer: web };
  await nodes.find({ certname: 'b.example.com' }, signal);
  state = { isAway: true, answer: failure };

  expect(await nodes.find(request, signal)).toEqual(web);
});
