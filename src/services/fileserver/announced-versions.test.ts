import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { AnnouncedVersions } from './announced-versions.ts';
import type { FileRequest } from './file-server.ts';
import { plant } from './fileserver-fixture.testing.ts';
import { type CodeVersion, FileServer } from './index.ts';

const cleanup: string[] = [];
afterEach(async () => {
  for (const directory of cleanup.splice(0)) await rm(directory, { recursive: true });
});

test('an agent gets the content that it was told of, whatever is deployed in between', async () => {
  const site = await deployedTwice();
  const listing = {
    environment: 'production',
    key: 'pluginfacts',
    query: new URLSearchParams('recurse=true'),
  };
  const file = { environment: 'production', key: 'pluginfacts/a.txt', query: new URLSearchParams() };
  await site.server.metadatas({ ...listing, certname: 'told' });

  site.live = 'v2';

  expect(await site.contentOf({ ...file, certname: 'told' })).toBe('one');
  expect(await site.contentOf({ ...file, certname: 'other' })).toBe('two');
  await site.server.metadatas({ ...listing, certname: 'told' });
  expect(await site.contentOf({ ...file, certname: 'told' })).toBe('two');
});

test('setting the clock between the two makes no difference', async () => {
  const site = await deployedTwice();
  const file = { environment: 'production', key: 'pluginfacts/a.txt', query: new URLSearchParams() };
  await site.server.metadata({ ...file, certname: 'told' });

  site.live = 'v2';
  site.wallMs = 3_600_000;

  expect(await site.contentOf({ ...file, certname: 'told' })).toBe('one');
});

test('it gets the current version when that one is gone', async () => {
  const site = await deployedTwice();
  const file = { environment: 'production', key: 'pluginfacts/a.txt', query: new URLSearchParams() };
  await site.server.metadata({ ...file, certname: 'told' });

  site.live = 'v2';
  site.versions.delete('v1');

  expect(await site.contentOf({ ...file, certname: 'told' })).toBe('two');
});

test('the latest announcement counts, for the path and what is below it, for five minutes', () => {
  let now = 0;
  const announced = new AnnouncedVersions(() => now);
  announced.announce('a', 'production', 'modules/m/tree', 'v1');
  announced.announce('a', 'production', 'modules/m', 'v2');
  announced.announce('a', 'production', 'modules/m/tree', 'v3');

  expect(announced.find('a', 'production', 'modules/m/tree/x')).toBe('v3');
  expect(announced.find('a', 'production', 'modules/m/other')).toBe('v2');
  expect(announced.find('a', 'production', 'modules/mm')).toBeUndefined();
  expect(announced.find('a', 'other', 'modules/m')).toBeUndefined();
  expect(announced.find('b', 'production', 'modules/m')).toBeUndefined();
  now = 300_001;
  expect(announced.find('a', 'production', 'modules/m')).toBeUndefined();
});

test('memory is bounded, and entries go when they are not requested any more', () => {
  let now = 0;
  const announced = new AnnouncedVersions(() => now);
  for (let agent = 0; agent < 5000; agent += 1)
    for (let path = 0; path < 70; path += 1) announced.announce(`a${agent}`, 'production', `p${path}`, 'v1');

  expect(announced.size).toBeLessThanOrEqual(200_000);
  expect(announced.find('a4999', 'production', 'p69')).toBe('v1');
  expect(announced.find('a4999', 'production', 'p0')).toBeUndefined();
  expect(announced.find('a0', 'production', 'p69')).toBeUndefined();
  now = 300_001;
  announced.announce('later', 'production', 'p', 'v2');
  expect(announced.size).toBe(1);
});

async function deployedTwice() {
  const directory = await mkdtemp(join(tmpdir(), 'bunraku-announced-'));
  cleanup.push(directory);
  const versions = new Map<string, CodeVersion>();
  for (const [codeId, content] of [
    ['v1', 'one'],
    ['v2', 'two'],
  ] as const) {
    const place = join(directory, codeId);
    await plant(place, { 'modules/m/facts.d/a.txt': content });
    const modules = [{ name: 'm', directory: join(place, 'modules', 'm') }];
    versions.set(codeId, { codeId, directory: place, logicalDirectory: '/production', modules });
  }
  const site = { live: 'v1', versions, wallMs: 0 };
  const server = new FileServer({
    codeDirectory: '/nowhere/code',
    code: { withVersion: (_, codeId) => versions.get(codeId ?? site.live) },
    log: silentLogger,
    fileserverConf: join(directory, 'fileserver.conf'),
    owner: { uid: 0, gid: 0 },
    now: () => site.wallMs,
    steadyMs: () => 0,
  });
  const contentOf = async (request: FileRequest) => {
    const { body } = await server.content(request);
    return Buffer.isBuffer(body) ? body.toString('utf8') : await text(body);
  };
  return Object.assign(site, { server, contentOf });
}
