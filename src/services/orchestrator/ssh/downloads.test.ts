/** Archives that a hostile node may send. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Header, pack } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Downloads } from './downloads.ts';
import type { SessionOutcome } from './ssh-session.ts';

const ended = { kind: 'ended', exitCode: 0, stdout: '', stderr: '', details: '' } as const;
type Entry = Partial<Header> & { readonly name: string; readonly content?: string };

let root: string;
let downloads: Downloads;
let kills: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bunraku-downloads-'));
  mkdirSync(join(root, 'temporary'));
  kills = 0;
  downloads = new Downloads({
    directory: join(root, 'downloads'),
    temporaryDirectory: join(root, 'temporary'),
    mostBytes: 20_000,
    mostEntries: 5,
  });
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

async function archive(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const { content = '', ...header } of entries) tar.entry(header, content);
  tar.finalize();
  return await buffer(tar);
}

/** @returns the outcome */
async function receive(bytes: Buffer, outcome: SessionOutcome = ended, name = 'etc') {
  const what = { source: `/${name}`, name, destination: 'd' };
  const download = await downloads.begin({ what, certname: 'a.example.vm', host: 'a' });
  const kill = () => {
    kills += 1;
  };
  await download.receive({ stdout: Readable.from([bytes], { objectMode: false }), kill });
  const settled = await download.settle(outcome);
  await download.discard();
  expect(readdirSync(join(root, 'temporary'))).toEqual([]);
  return settled;
}

const place = () => join(root, 'downloads', 'd', 'a.example.vm');
const directory = { name: './etc/', type: 'directory' } as const;

test('the requested files replace an earlier download at their place', async () => {
  mkdirSync(join(place(), 'etc'), { recursive: true });
  writeFileSync(join(place(), 'etc', 'old'), '');

  const settled = await receive(
    await archive([
      directory,
      { name: './etc/a', content: 'x' },
      { name: './etc/b', type: 'link', linkname: './etc/a' },
    ]),
  );

  expect(settled).toMatchObject({ kind: 'ended', exitCode: 0, stdout: expect.stringContaining(place()) });
  expect(readdirSync(join(place(), 'etc'))).toEqual(['a', 'b']);
  expect(readFileSync(join(place(), 'etc', 'b'), 'utf8')).toBe('x');
  expect(kills).toBe(0);
});

test.each<readonly [string, readonly Entry[], RegExp]>([
  ['the parent', [directory, { name: './etc/../../x', content: 'x' }], /not asked for/],
  ['the parent itself', [{ name: '..', type: 'directory' }], /not asked for/],
  ['an absolute name', [{ name: '/etc/x', content: 'x' }], /not asked for/],
  ['another name', [{ name: './other', content: 'x' }], /not asked for/],
  ['a name that only begins so', [{ name: './etcetera', content: 'x' }], /not asked for/],
  ['a link', [directory, { name: './etc/l', type: 'symlink', linkname: '/etc' }], /neither a file nor/],
  ['itself as a link', [{ name: './etc', type: 'symlink', linkname: '/etc' }], /neither a file nor/],
  ['a device', [directory, { name: './etc/d', type: 'character-device' }], /neither a file nor/],
  [
    'a second name of a file outside',
    [directory, { name: './etc/h', type: 'link', linkname: '/etc/passwd' }],
    /not asked for/,
  ],
  [
    'a second name of nothing',
    [directory, { name: './etc/h', type: 'link', linkname: './etc/x' }],
    /did not come/,
  ],
  [
    'the same name twice',
    [directory, { name: './etc/a', content: '1' }, { name: './etc/a', content: '2' }],
    /EEXIST/,
  ],
  [
    'a file below a file',
    [
      { name: './etc', content: '1' },
      { name: './etc/a', content: '2' },
    ],
    /ENOTDIR/,
  ],
  ['directories that it does not name', [directory, { name: './etc/a/b/c', content: '2' }], /ENOENT/],
  ['too much', [directory, { name: './etc/a', content: 'x'.repeat(20_001) }], /larger than/],
  [
    'too much by second names',
    [
      directory,
      { name: './etc/a', content: 'x'.repeat(9000) },
      ...['b', 'c', 'd'].map(
        (name) => ({ name: `./etc/${name}`, type: 'link', linkname: './etc/a' }) as const,
      ),
    ],
    /larger than/,
  ],
  [
    'too many',
    [directory, ...['a', 'b', 'c', 'd', 'e'].map((name) => ({ name: `./etc/${name}` }))],
    /more than 5 files/,
  ],
])('%s is refused, and no file is kept', async (_, entries, reason) => {
  const settled = await receive(await archive(entries), { kind: 'unknown', reason: 'killed' });

  expect(settled).toMatchObject({ kind: 'ended', exitCode: 1, stderr: expect.stringMatching(reason) });
  expect(kills).toBe(1);
  expect(existsSync(join(root, 'downloads'))).toBe(false);
  expect(readdirSync(root)).toEqual(['temporary']);
});

test('an archive that never ends is cut', async () => {
  const settled = await receive(Buffer.alloc(30_000), { kind: 'unknown', reason: 'killed' });

  expect(settled).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('larger than') });
  expect(kills).toBe(1);
});

test('half of an archive is not kept', async () => {
  const whole = await archive([directory, { name: './etc/a', content: 'x'.repeat(5000) }]);
  const half = whole.subarray(0, 3000);
  const lost: SessionOutcome = { kind: 'unknown', reason: 'the connection was lost' };

  expect(await receive(half, lost)).toEqual(lost);
  expect(await receive(half)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no archive') });
  expect(await receive(Buffer.of())).toMatchObject({ exitCode: 1, stderr: 'the node sent nothing' });
  expect(existsSync(join(root, 'downloads'))).toBe(false);
});

test('a failure that the node reports fails the download, except for a file that grew meanwhile', async () => {
  const bytes = await archive([{ name: './etc', content: 'x' }]);
  const changed = 'tar: ./etc: file changed as we read it\n';
  const missing = 'tar: ./etc: Cannot stat: No such file or directory\n';

  expect(await receive(bytes, { ...ended, exitCode: 2, stderr: missing })).toMatchObject({ exitCode: 2 });
  expect(await receive(bytes, { ...ended, exitCode: 1, stderr: missing + changed })).toMatchObject({
    exitCode: 1,
  });
  expect(existsSync(join(root, 'downloads'))).toBe(false);
  expect(await receive(bytes, { ...ended, exitCode: 1, stderr: changed })).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(place(), 'etc'), 'utf8')).toBe('x');
});

test('clear removes earlier downloads, and nothing outside the directory', async () => {
  await receive(await archive([{ name: './etc', content: 'x' }]));
  mkdirSync(join(root, 'temporary', 'download-left'));

  await downloads.clear('d');
  await downloads.start();

  expect([readdirSync(join(root, 'downloads')), readdirSync(join(root, 'temporary'))]).toEqual([[], []]);
  for (const outside of ['..', '../temporary', '.', '/etc', 'd/../..'])
    await expect(downloads.clear(outside)).rejects.toThrow('not below');
});
