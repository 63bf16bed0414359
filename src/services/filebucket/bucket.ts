/** The bucket on disk. */

import { createHash } from 'node:crypto';
import { appendFile, chmod, mkdir, open, readFile, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { syncDirectory, writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere } from '../../lib/if-there.ts';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { RequestFailed } from '../../platform/indirection/index.ts';
import type { Logger } from '../../platform/log/index.ts';

/** The algorithms that can name a bucket's files, with the length of their digests in hexadecimal. */
const digestLengths = { md5: 32, sha1: 40, sha224: 56, sha256: 64, sha384: 96, sha512: 128 } as const;

/** Hashed at once: less than a millisecond's work. */
const pieceBytes = 256 * 1024;

type DigestAlgorithm = keyof typeof digestLengths;

export interface BucketOptions {
  /** The setting `bucketdir`; made when it is needed. */
  readonly directory: string;
  /** The setting `digest_algorithm`: the only one that requests may name. */
  readonly algorithm: DigestAlgorithm;
  readonly log: Logger;
  readonly now: () => Date;
}

/** What a request names. */
export interface BucketKey {
  readonly digest: string;
  /** Where the file was on the node; `undefined`: anywhere. */
  readonly path: string | undefined;
}

export class FileBucket {
  private readonly options: BucketOptions;
  // One writer: two agents that back up the same file at once must not both append its path.
  private readonly writes = new SerialQueue();

  constructor(options: BucketOptions) {
    this.options = options;
  }

  /**
   * @param key - `sha256/<digest>` or `sha256/<digest>/<path>`
   * @throws RequestFailed in the reference's words
   */
  parseKey(key: string): BucketKey {
    const [algorithm = '', digest, ...rest] = key.split('/');
    if (algorithm !== this.options.algorithm) {
      throw new RequestFailed(`Unsupported checksum type ${JSON.stringify(algorithm)}`);
    }
    if (digest === undefined || !this.isDigest(digest)) {
      throw new RequestFailed(`Invalid checksum ${digest === undefined ? 'nil' : JSON.stringify(digest)}`);
    }
    const path = rest.join('/');
    return { digest, path: path === '' ? undefined : path };
  }

  /** Whether there is such a backup, made of that path when one is named. */
  async has({ digest, path }: BucketKey): Promise<boolean> {
    if ((await this.contentFile(digest)) === undefined) return false;
    return path === undefined || (await this.paths(digest)).includes(path);
  }

  /**
   * @returns `undefined` when there is no such backup
   * @throws RequestFailed when its content is damaged
   */
  async read(key: BucketKey): Promise<Buffer | undefined> {
    const content = await ifThere(readFile(this.file(key.digest, 'contents')));
    if (content === undefined) return undefined;
    if (key.path !== undefined && !(await this.paths(key.digest)).includes(key.path)) return undefined;
    if ((await this.digestOf(content)) !== key.digest) {
      this.options.log.error({ digest: key.digest }, 'a backup in the file bucket does not match its digest');
      throw new RequestFailed(`Existing backup does not match its expected sum, ${this.sum(key.digest)}.`);
    }
    return content;
  }

  /** Where the content of a digest lies, for programs that compare files; `undefined` when it is not there. */
  async contentFile(digest: string): Promise<string | undefined> {
    if (!this.isDigest(digest)) return undefined;
    const file = this.file(digest, 'contents');
    return (await ifThere(stat(file))) === undefined ? undefined : file;
  }

  /** Stores content under its own digest; durable when it resolves. */
  async save(content: Buffer, path: string | undefined): Promise<void> {
    const digest = await this.digestOf(content);
    await this.writes.run(() => this.store(digest, content, path));
  }

  private async store(digest: string, content: Buffer, path: string | undefined): Promise<void> {
    const file = this.file(digest, 'contents');
    await this.makeDirectories(dirname(file));
    const existing = await ifThere(readFile(file));
    if (existing === undefined || !existing.equals(content)) {
      if (existing !== undefined) {
        this.options.log.warn({ sum: this.sum(digest) }, 'Overwriting corrupted backup.');
      }
      await writeFileAtomically(file, content, 0o440);
    } else {
      const now = this.options.now();
      await utimes(file, now, now);
    }
    await this.addPath(digest, path);
  }

  private async addPath(digest: string, path: string | undefined): Promise<void> {
    const file = this.file(digest, 'paths');
    const known = path === undefined ? true : (await this.paths(digest)).includes(path);
    // Made also when there is no path: the reference expects the file.
    await appendFile(file, known ? '' : `${path}\n`, { mode: 0o640 });
    const handle = await open(file, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await syncDirectory(dirname(file));
  }

  private async paths(digest: string): Promise<readonly string[]> {
    const text = await ifThere(readFile(this.file(digest, 'paths')));
    return text === undefined ? [] : text.toString('utf8').split('\n');
  }

  /** Makes what is missing, with its name durable in its parent. */
  private async makeDirectories(directory: string): Promise<void> {
    const first = await mkdir(directory, { recursive: true, mode: 0o770 });
    if (first === undefined) return;
    for (let made = directory; made.length >= first.length; made = dirname(made)) {
      await chmod(made, 0o770); // whatever the process's umask is
      await syncDirectory(dirname(made));
    }
  }

  private file(digest: string, name: 'contents' | 'paths'): string {
    return join(this.options.directory, ...digest.slice(0, 8).split(''), digest, name);
  }

  /** In pieces, so that other requests get their turn in between. */
  private async digestOf(content: Buffer): Promise<string> {
    const hash = createHash(this.options.algorithm);
    for (let start = 0; start < content.length; start += pieceBytes) {
      if (start > 0) await setImmediate();
      hash.update(content.subarray(start, start + pieceBytes));
    }
    return hash.digest('hex');
  }

  private isDigest(text: string): boolean {
    return text.length === digestLengths[this.options.algorithm] && /^[0-9a-f]+$/.test(text);
  }

  private sum(digest: string): string {
    return `{${this.options.algorithm}}${digest}`;
  }
}
