/** What a Debian package says of itself. */

import { spawnSync } from 'node:child_process';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { type ArMember, readArArchive } from './ar-archive.ts';

/** Far more than any control archive has. */
const maxControlBytes = 64 * 1024 * 1024;

/**
 * @returns the paragraph of its `control` file, without an empty line at the end
 * @throws Error saying what is wrong with the package
 */
export async function readDebControl(bytes: Buffer): Promise<string> {
  const member = readArArchive(bytes).find(({ name }) => name.startsWith('control.tar'));
  if (member === undefined) throw new Error('it has no control archive');
  const control = await fileIn(decompress(member, bytes), 'control');
  if (control === undefined || !/^Package: *\S/m.test(control)) throw new Error('it has no control file');
  return control.trimEnd();
}

/** A field of a paragraph; its first line. */
export function fieldOf(paragraph: string, name: string): string | undefined {
  return new RegExp(`^${name}: *(.*)$`, 'im').exec(paragraph)?.[1]?.trim();
}

function decompress({ name, content }: ArMember, archive: Buffer): Buffer {
  if (name.endsWith('.gz')) return gunzipSync(content, { maxOutputLength: maxControlBytes });
  if (name.endsWith('.zst')) return zstdDecompressSync(content, { maxOutputLength: maxControlBytes });
  if (name.endsWith('.xz')) return unxz(content, archive);
  return content;
}

/**
 * Node has no decoder for this format. A minimal Debian has no `xz` either, but its `dpkg-deb` unpacks by itself.
 *
 * @param archive - the whole package
 */
function unxz(content: Buffer, archive: Buffer): Buffer {
  const output =
    outputOf('xz', ['--decompress', '--stdout'], content) ??
    outputOf('dpkg-deb', ['--ctrl-tarfile', '-'], archive);
  if (output === undefined)
    throw new Error(
      'its control archive is compressed by xz, and there is no program xz (Debian: xz-utils, Red Hat and SUSE: xz)',
    );
  return output;
}

/** @returns undefined when there is no such program */
function outputOf(program: string, args: readonly string[], input: Buffer): Buffer | undefined {
  const { error, status, stdout } = spawnSync(program, args, { input, maxBuffer: maxControlBytes });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return undefined;
  if (status !== 0) throw new Error('its control archive can not be decompressed');
  return stdout;
}

function fileIn(archive: Buffer, wanted: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const reader = extract();
    let found: string | undefined;
    reader.on('entry', ({ name }, stream, next) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece) => pieces.push(piece as Buffer));
      stream.on('end', () => {
        if (name.replace(/^\.\//, '') === wanted) found = Buffer.concat(pieces).toString('utf8');
        next();
      });
    });
    reader.on('finish', () => resolve(found));
    reader.on('error', reject);
    reader.end(archive);
  });
}
