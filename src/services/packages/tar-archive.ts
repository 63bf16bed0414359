/** Archives in the format of `tar` (POSIX ustar), for files that are few and small. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const blockBytes = 512;

/**
 * Everything below a directory, compressed. Times and owners are left out, so that the same files are the same bytes.
 *
 * @param name - what the directory is called in the archive
 */
export async function tarOf(directory: string, name: string): Promise<Buffer> {
  const entries = (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const parts: Buffer[] = [];
  for (const path of entries) {
    const content = await readFile(path);
    const isExecutable = ((await stat(path)).mode & 0o100) !== 0;
    parts.push(header(`${name}${path.slice(directory.length)}`, content.length, isExecutable));
    parts.push(content, Buffer.alloc(-content.length & (blockBytes - 1)));
  }
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)]));
}

function header(path: string, bytes: number, isExecutable: boolean): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for an archive`);
  const block = Buffer.alloc(blockBytes);
  block.write(path, 0);
  block.write(isExecutable ? '0000755\0' : '0000644\0', 100);
  block.write('0000000\0', 108); // owner
  block.write('0000000\0', 116); // group
  block.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136); // time
  block.write('        ', 148); // the checksum counts as blanks
  block.write('0', 156); // a file
  block.write('ustar\0' + '00', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
