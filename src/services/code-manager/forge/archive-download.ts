/** Archives from the web or the disk, checked and kept. */

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type WebRequest, webGet } from '../../../platform/http-client/index.ts';
import { DeployError } from '../deploy-error.ts';

export interface Digests {
  readonly sha256?: string | undefined;
  /** Only asked when there is no SHA-256. */
  readonly md5?: string | undefined;
}

const largestArchive = 1024 * 1024 * 1024;

/**
 * Stores an archive under `path`, whole or not at all.
 *
 * @param location - a URL (`http`, `https`, `file`) or a path
 * @throws DeployError when it can't be had, is too large or is not what the digest says
 */
export async function downloadArchive(
  location: string,
  path: string,
  digests: Digests,
  request: Omit<WebRequest, 'url'>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const body = await openLocation(location, request);
    const found = await store(body, temporary, location);
    checkDigests(location, digests, found);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The SHA-256 of a file, hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function openLocation(location: string, request: Omit<WebRequest, 'url'>): Promise<Readable> {
  if (location.startsWith('/')) return createReadStream(location);
  if (location.startsWith('file:')) return createReadStream(fileURLToPath(location));
  if (!/^https?:/.test(location)) throw new DeployError(`Unexpected source scheme: ${location}`);
  const { status, body } = await webGet({ ...request, url: location });
  if (status === 200) return body;
  body.resume();
  throw new DeployError(`${location} answered with status ${status}`);
}

interface FoundDigests {
  readonly sha256: string;
  readonly md5: string;
}

async function store(body: Readable, path: string, location: string): Promise<FoundDigests> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > largestArchive) throw new DeployError(`${location} is larger than 1 GiB`);
      sha256.update(chunk);
      md5.update(chunk);
      await file.write(chunk);
    }
  } catch (error) {
    if (error instanceof DeployError) throw error;
    throw new DeployError(`${location} could not be read: ${(error as Error).message}`, error);
  } finally {
    body.destroy();
    await file.close();
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex') };
}

function checkDigests(location: string, wanted: Digests, found: FoundDigests): void {
  const kind = isGiven(wanted.sha256) ? 'sha256' : 'md5';
  const expected = wanted[kind];
  if (!isGiven(expected) || expected.toLowerCase() === found[kind]) return;
  throw new DeployError(
    `${location} does not match its ${kind} checksum: it has ${found[kind]}, ${expected} was expected`,
  );
}

function isGiven(digest: string | undefined): digest is string {
  return digest !== undefined && digest !== '';
}
