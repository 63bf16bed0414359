import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../platform/storage/index.ts';
import {
  type Content,
  type Destination,
  type Message,
  namedPayload,
  Outbox,
  OutboxStore,
  outboxMigrations,
  unnamedPayload,
} from './index.ts';

let directory: string;
let database: Database;
let store: OutboxStore;
let now = new Date('2026-11-21T10:00:00Z');
let outbox: Outbox | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bunraku-outbox-'));
  await open();
});

afterEach(async () => {
  await outbox?.stop();
  outbox = undefined;
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(): Promise<void> {
  database = await openSqliteDatabase({ path: join(directory, 'database.sqlite') });
  await migrate(database, outboxMigrations);
  store = new OutboxStore(database, () => now);
}

/** Takes what it is sent, unless told otherwise; knows one content of each node. */
class Primary implements Destination {
  readonly nodesAtOnce = 6;
  readonly taken: string[] = [];
  readonly contents = new Map<string, string>();
  isAway = false;
  refused = '';

  async send(message: Message, content: Content | undefined): Promise<'taken' | 'content-wanted'> {
    const { certname, command, contentId, payload } = message;
    if (this.isAway) throw new ServiceError('unavailable', 'away');
    if (payload === this.refused) throw new ServiceError('bad-request', 'no');
    if (contentId !== undefined) {
      if (content !== undefined) this.contents.set(certname, content.id);
      else if (this.contents.get(certname) !== contentId) return 'content-wanted';
    }
    this.taken.push([certname, command, payload, ...(content === undefined ? [] : [content.text])].join(' '));
    return 'taken';
  }
}

function start(primary: Primary): Outbox {
  outbox = new Outbox({ store, destination: primary, log: silentLogger, retryIntervalMs: 5 });
  outbox.start();
  return outbox;
}

function message(command: string, certname: string, payload: string, contentId?: string): Message {
  const common = { command, version: 1, certname, producerTimestamp: '2026-11-21T10:00:00.000Z', payload };
  return contentId === undefined ? common : { ...common, contentId };
}

const report = (certname: string, payload: string): Message => message('store_report', certname, payload);
const content: Content = { id: 'c1', text: '"resources":[],"edges":[]' };

test('what waits is delivered in the order of each node when the primary is back', async () => {
  const primary = new Primary();
  primary.isAway = true;
  const box = start(primary);
  for (let index = 0; index < 40; index++) {
    await box.put(report(index % 2 === 0 ? 'a' : 'b', String(index)));
  }

  primary.isAway = false;

  expect(await box.flushed(300_000)).toBe(true);
  const of = (certname: string) =>
    primary.taken.filter((line) => line.startsWith(`${certname} `)).map((line) => Number(line.split(' ')[2]));
  expect(of('a')).toEqual(Array.from({ length: 20 }, (_, index) => index * 2));
  expect(of('b')).toEqual(Array.from({ length: 20 }, (_, index) => index * 2 + 1));
});

test('what an earlier process has accepted is delivered by the next', async () => {
  await store.add(report('a', 'first'));
  await store.add(message('replace_catalog', 'a', '{"v":1}', 'c1'), content);
  await database.close();
  await open();

  const primary = new Primary();

  expect(await start(primary).flushed(300_000)).toBe(true);
  expect(primary.taken).toEqual(['a store_report first', `a replace_catalog {"v":1} ${content.text}`]);
});

test('of facts and catalogs only the newest of a node waits', async () => {
  await store.add(message('replace_facts', 'a', '1'));
  await store.add(message('replace_facts', 'b', '1'));
  await store.add(report('a', '1'));
  await store.add(message('replace_facts', 'a', '2'));
  await store.add(report('a', '2'));

  const waiting = await store.oldest(10);

  expect(waiting.map(({ certname, command, payload }) => [certname, command, payload])).toEqual([
    ['b', 'replace_facts', '1'],
    ['a', 'store_report', '1'],
    ['a', 'replace_facts', '2'],
    ['a', 'store_report', '2'],
  ]);
});

test('the content of a catalog is sent once, and again only when it is asked for', async () => {
  const primary = new Primary();
  const box = start(primary);
  const catalog = (version: number): Message =>
    message('replace_catalog', 'a', `{"v":${version}}`, content.id);
  const put = async (version: number, sent?: Content) => {
    await box.put(catalog(version), sent);
    expect(await box.flushed(300_000)).toBe(true);
  };

  await put(1, content);
  const known = await store.contentId('a');
  await put(2);
  primary.contents.set('a', 'of another server');
  await put(3);

  expect(known).toBe('c1');
  expect(primary.taken).toEqual([
    `a replace_catalog {"v":1} ${content.text}`,
    'a replace_catalog {"v":2}',
    `a replace_catalog {"v":3} ${content.text}`,
  ]);
});

test('a message that is refused does not hold up those behind it', async () => {
  const primary = new Primary();
  primary.refused = 'broken';
  const box = start(primary);

  await box.put(report('a', 'broken'));
  await box.put(report('a', 'fine'));

  expect(await box.flushed(300_000)).toBe(true);
  expect(primary.taken).toEqual(['a store_report fine']);
});

test('contents not used for long are forgotten, others stay', async () => {
  await store.keepContent('old', content);
  await store.keepContent('used', content);
  now = new Date('2026-11-29T10:00:00Z');
  await store.contentId('used');

  await store.deleteContents(new Date('2026-11-22T10:00:00Z'));

  expect([await store.contentId('old'), await store.contentId('used')]).toEqual([undefined, 'c1']);
  expect(await store.content('used', 'c1')).toEqual(content);
  expect(await store.content('used', 'c2')).toBeUndefined();
});

test('servers name the content within the payload', () => {
  const catalog = message('replace_catalog', 'a', '{"v":1}', 'c"1');

  expect(JSON.parse(namedPayload(catalog, undefined))).toEqual({ v: 1, content_id: 'c"1' });
  expect(JSON.parse(namedPayload(catalog, content))).toEqual({
    v: 1,
    content_id: 'c"1',
    resources: [],
    edges: [],
  });
  expect(namedPayload(report('a', '{"r":1}'), undefined)).toBe('{"r":1}');
});

test('what is added while what was delivered is removed stays', async () => {
  await store.add(report('a', '{"r":1}'));
  const [first] = await store.oldest(1);
  store.noteDelivered(first?.id ?? 0);

  await Promise.all([store.add(report('a', '{"r":2}')), store.removeDelivered()]);

  expect((await store.oldest(2)).map(({ payload }) => payload)).toEqual(['{"r":2}']);
});

test('the number of a message that was delivered is not given to the next one', async () => {
  await store.add(report('a', '{"r":1}'));
  const [first] = await store.oldest(1);
  store.noteDelivered(first?.id ?? 0);

  await store.add(report('a', '{"r":2}'));

  const [second] = await store.oldest(1);
  expect(second?.payload).toBe('{"r":2}');
  expect(second?.id).toBeGreaterThan(first?.id ?? 0);
});

test('what a name of ours is taken from is a catalog, and nothing else', () => {
  const id = '9f86d081884c7d65';
  const envelope = { ...report('a', '{"certname":"a"}'), command: 'replace_catalog', contentId: id };
  const text = '"resources":[{"parameters":{"h":{"a":1,"content_id":"mine"}}}],"edges":[]';
  const facts = '{"values":{"build":{"job":"x","content_id":"mine"}}}';

  expect(unnamedPayload('replace_catalog', namedPayload(envelope, { id, text }))).toBe(
    `{"certname":"a",${text}}`,
  );
  expect(unnamedPayload('replace_catalog', namedPayload(envelope, undefined))).toBeUndefined();
  expect(unnamedPayload('replace_facts', facts)).toBe(facts);
});
