import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { afterAll, describe, expect, test } from 'vitest';
import { unpack } from './unpack.ts';

describe('An archive', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-unpack-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const signal = new AbortController().signal;
  let count = 0;

  const unpacked = async (...entries: readonly (Partial<Header> & { readonly name: string })[]) => {
    const tar = pack();
    for (const entry of entries)
      if (entry.type === undefined) tar.entry(entry, 'content');
      else tar.entry(entry);
    tar.finalize();
    count += 1;
    const archive = join(directory, `${count}.tar.gz`);
    const target = join(directory, `out${count}`, 'inner');
    writeFileSync(archive, gzipSync(await buffer(tar)));
    return { target, result: unpack(archive, target, signal) };
  };

  test('is unpacked with what is executable, and nothing special', async () => {
    const { result, target } = await unpacked(
      { name: 'm/', type: 'directory' },
      { name: 'm/run', mode: 0o4755 },
      { name: 'm/secret', mode: 0o000 },
      { name: 'm/open', mode: 0o666 },
      { name: 'm/tool', mode: 0o777 },
      { name: 'm/odd', mode: 0o071 },
    );

    await expect(result).resolves.toMatchObject({ skipped: [] });
    expect(readFileSync(join(target, 'm/run'), 'utf8')).toBe('content');
    const modeOf = (name: string) => [name, (statSync(join(target, 'm', name)).mode & 0o7777).toString(8)];
    expect(['run', 'secret', 'open', 'tool', 'odd'].map(modeOf)).toEqual([
      ['run', '755'],
      ['secret', '644'],
      ['open', '644'],
      ['tool', '755'],
      ['odd', '644'],
    ]);
  });

  test('never leads out of its directory', async () => {
    for (const name of ['../evil', 'a/../../evil', '/etc/evil', 'm/../../../evil', '..']) {
      const { result, target } = await unpacked({ name });

      await expect(result, name).rejects.toThrow('Package attempted to install file into');
      expect(readdirSync(join(target, '..'))).toEqual(['inner']);
    }
  });

  test('brings no links and no devices, and writes through none', async () => {
    const { result, target } = await unpacked(
      { name: 'm/out', type: 'symlink', linkname: '/tmp' },
      { name: 'm/out/file' },
      { name: 'm/hard', type: 'link', linkname: '/etc/passwd' },
      { name: 'm/device', type: 'character-device' },
    );

    await expect(result).resolves.toEqual({
      paths: ['m/out/file'],
      skipped: ['m/out', 'm/hard', 'm/device'],
    });
    expect(statSync(join(target, 'm/out')).isDirectory()).toBe(true);
  });

  test('is refused when it is no archive', async () => {
    const archive = join(directory, 'none.tar.gz');
    for (const content of [Buffer.from('no archive'), gzipSync('neither'.repeat(200)), Buffer.alloc(0)]) {
      writeFileSync(archive, content);

      await expect(unpack(archive, join(directory, 'none'), signal)).rejects.toThrow(
        'Could not extract contents of module archive',
      );
    }
  });
});
