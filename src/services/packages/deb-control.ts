/** What a Debian package says of itself. */

import { spawnSync } from 'node:child_process';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { readArArchive } from './ar-archive.ts';

/** Far more than any control archive has. */
const maxControlBytes = 64 * 1024 * 1024;

/**
 * @returns the paragraph of its `control` file, without an empty line at the end
 * @throws Error saying what is wrong with the package
 */
export async function readDebControl(bytes: Buffer): Promise<string> {
  const member = readArArchive(bytes).find(({ name }) => name.startsWith('control.tar'));
  if (member === undefined) throw new Error('it has no control archive');
  const control = await fileIn(decompress(member.name, member.content), 'control');
  if (control === undefined || !/^Package: *\S/m.test(control)) throw new Error('it has no control file');
  return control.trimEnd();
}

/** A field of a paragraph; its first line. */
export function fieldOf(paragraph: string, name: string): string | undefined {
  return new RegExp(`^${name}: *(.*)$`, 'im').exec(paragraph)?.[1]?.trim();
}

function decompress(name: string, content: Buffer): Buffer {
  if (name.endsWith('.gz')) return gunzipSync(content, { maxOutputLength: maxControlBytes });
  if (name.endsWith('.zst')) return zstdDecompressSync(content, { maxOutputLength: maxControlBytes });
  if (name.endsWith('.xz')) return unxz(content);
  return content;
}

/** Node has no decoder for this format; the program is on every machine that has packages. */
function unxz(content: Buffer): Buffer {
  const { error, status, stdout } = spawnSync('xz', ['--decompress', '--stdout'], {
    input: content,
    maxBuffer: maxControlBytes,
  });
  if (error !== undefined) throw new Error(`its control archive needs the program xz: ${error.message}`);
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
