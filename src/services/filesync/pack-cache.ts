/** Packs for servers that follow: many ask for the same at the same time, so it is made once. */

import { PassThrough, type Readable } from 'node:stream';
import { endOf } from '../../platform/git/index.ts';
import type { Repository } from './repository.ts';

/** Packs up to this size are held for the next request. */
const heldBytes = 8 * 1024 * 1024;
const heldPacks = 4;

export type Pack = Buffer | Readable;

export class PackCache {
  private readonly repository: Repository;
  private readonly onBroken: (error: unknown, want: readonly string[]) => void;
  /** `undefined` for what is too large to be held. */
  private readonly packs = new Map<string, Promise<Buffer | undefined>>();

  /** @param onBroken - told when a pack that was being sent could not be ended */
  constructor(repository: Repository, onBroken: (error: unknown, want: readonly string[]) => void) {
    this.repository = repository;
    this.onBroken = onBroken;
  }

  /** @throws GitError when objects are missing or damaged; a stream may still fail later */
  async get(want: readonly string[], have: readonly string[]): Promise<Pack> {
    const key = `${want.toSorted().join()} ${have.toSorted().join()}`;
    const known = await this.packs.get(key);
    if (known !== undefined) return known;
    if (this.packs.has(key)) return await this.stream(want, have);
    let pack: Pack | undefined;
    const held = this.stream(want, have).then((made) => {
      pack = made;
      return Buffer.isBuffer(made) ? made : undefined;
    });
    this.packs.set(key, held);
    for (const oldest of this.packs.keys()) {
      if (this.packs.size <= heldPacks) break;
      this.packs.delete(oldest);
    }
    try {
      await held;
    } catch (error) {
      this.packs.delete(key);
      throw error;
    }
    if (pack === undefined) throw new Error('unreachable: what was made is there');
    return pack;
  }

  forget(): void {
    this.packs.clear();
  }

  private stream(want: readonly string[], have: readonly string[]): Promise<Pack> {
    const child = this.repository.pack(want, have);
    const chunks: Buffer[] = [];
    let bytes = 0;
    const ended = endOf(child, 'pack-objects');
    return new Promise((resolve, reject) => {
      const collect = (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= heldBytes) return;
        child.stdout.off('data', collect);
        ended.catch((error: unknown) => this.onBroken(error, want));
        resolve(streamed(chunks, child.stdout, ended));
      };
      child.stdout.on('data', collect);
      ended.then(() => resolve(Buffer.concat(chunks)), reject);
    });
  }
}

/** What has been read already, then the rest. */
function streamed(chunks: readonly Buffer[], rest: Readable, ended: Promise<void>): Readable {
  const stream = new PassThrough();
  for (const chunk of chunks) stream.write(chunk);
  rest.pipe(stream, { end: false });
  // An asker that goes away ends the process: it can't write any more.
  stream.on('close', () => rest.destroy());
  ended.then(
    () => stream.end(),
    (error: unknown) => stream.destroy(error as Error),
  );
  return stream;
}
