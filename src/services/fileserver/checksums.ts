/** Checksums of files, in the reference's kinds; each file's content is hashed once. */

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Examined } from './examine.ts';
import { rubyTime } from './ruby-text.ts';

/** Kind -> digest and how much of the file it covers; the others say something about the file instead. */
const digests = {
  md5: { algorithm: 'md5', isLite: false },
  md5lite: { algorithm: 'md5', isLite: true },
  sha1: { algorithm: 'sha1', isLite: false },
  sha1lite: { algorithm: 'sha1', isLite: true },
  sha224: { algorithm: 'sha224', isLite: false },
  sha256: { algorithm: 'sha256', isLite: false },
  sha256lite: { algorithm: 'sha256', isLite: true },
  sha384: { algorithm: 'sha384', isLite: false },
  sha512: { algorithm: 'sha512', isLite: false },
} as const;

type DigestType = keyof typeof digests;
export type ChecksumType = DigestType | 'mtime' | 'ctime' | 'none';

export function isChecksumType(name: string): name is ChecksumType {
  return isDigestType(name) || name === 'mtime' || name === 'ctime' || name === 'none';
}

/** How much a lite digest covers, in bytes. */
const liteBytes = 512;
/** Read and hashed at once: short enough not to hold up other requests. */
const chunkBytes = 64 * 1024;
/** A file changed so lately could change again without its times showing it: its digest is not kept. */
const settledAfterMs = 2000;

export class Checksums {
  private readonly known = new Map<string, string>();
  private readonly limit: number;
  private readonly now: () => number;

  /** @param limit - how many digests are kept */
  constructor(now: () => number, limit = 200_000) {
    this.now = now;
    this.limit = limit;
  }

  /**
   * The checksum without its prefix: `2c8b08da...`, or a time as Ruby prints it.
   *
   * @throws the system's error when the file cannot be read
   */
  async of(file: Examined, type: ChecksumType): Promise<string> {
    if (type === 'none') return '';
    if (type === 'mtime') return rubyTime(Number(file.stat.mtimeMs));
    if (type === 'ctime') return rubyTime(Number(file.stat.ctimeMs));
    const { dev, ino, size, mtimeNs, ctimeNs } = file.stat;
    const key = `${type} ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const digest = await digestFile(file.real, type);
    if (this.now() - Number(file.stat.ctimeMs) > settledAfterMs) this.keep(key, digest);
    return digest;
  }

  private keep(key: string, digest: string): void {
    if (this.known.size >= this.limit) {
      // The oldest goes first: a map keeps its keys in the order of their arrival.
      for (const oldest of this.known.keys()) {
        this.known.delete(oldest);
        break;
      }
    }
    this.known.set(key, digest);
  }
}

async function digestFile(path: string, type: DigestType): Promise<string> {
  const { algorithm, isLite } = digests[type];
  const hash = createHash(algorithm);
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.allocUnsafe(isLite ? liteBytes : chunkBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      if (isLite) break;
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

function isDigestType(name: string): name is DigestType {
  return Object.hasOwn(digests, name);
}
