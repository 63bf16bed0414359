/** A file's content, ready to be sent. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { RequestFailed } from '../../platform/indirection/index.ts';
import { examine, orMissing } from './examine.ts';
import type { FilesetRoot } from './fileset.ts';

export interface ServedContent {
  readonly sizeBytes: number;
  readonly body: Buffer | Readable;
}

/** Files up to this size are read at once: cheaper than a stream, and the file is closed at once. */
const wholeBytes = 64 * 1024;

/** Where content is: found out once for each file of a version that does not change. */
export type ContentPlace = { readonly kind: 'directory' } | { readonly kind: 'file'; readonly real: string };

/**
 * Finds a file, links followed.
 *
 * @returns `undefined` when there is no such file inside the boundary
 * @throws RequestFailed for what is neither file nor directory
 */
export async function locateContent({ path, boundary }: FilesetRoot): Promise<ContentPlace | undefined> {
  const examined = await examine(path, 'follow', boundary);
  if (examined === undefined) return undefined;
  if (examined.stat.isDirectory()) return { kind: 'directory' };
  if (!examined.stat.isFile()) throw new RequestFailed('Cannot manage files of this type');
  return { kind: 'file', real: examined.real };
}

/**
 * Opens a file. A directory has no content, as in the reference.
 *
 * @returns `undefined` when the file is no longer there, or may not be read
 */
export async function openContent(place: ContentPlace): Promise<ServedContent | undefined> {
  if (place.kind === 'directory') return { sizeBytes: 0, body: Buffer.alloc(0) };
  // The path is real: a link there now was put there since, and is not followed.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await orMissing(() => open(place.real, flags));
  return file === undefined ? undefined : await read(file);
}

async function read(file: FileHandle): Promise<ServedContent> {
  try {
    const { size } = await file.stat();
    if (size > wholeBytes) {
      // The stream closes the file, also when it is destroyed before its end.
      return { sizeBytes: size, body: file.createReadStream({ start: 0, end: size - 1 }) };
    }
    const buffer = await file.readFile();
    await file.close();
    return { sizeBytes: buffer.length, body: buffer };
  } catch (error) {
    await file.close();
    throw error;
  }
}
