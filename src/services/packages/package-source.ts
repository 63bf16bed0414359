/** Where a server takes the files below `/packages` from. */

import { createReadStream } from 'node:fs';
import { readFile, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { KeyedQueue } from '../../lib/keyed-queue.ts';
import { makeDirectory } from '../../lib/make-directory.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { whileThere } from '../../lib/while-there.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';

export interface ServedFile {
  readonly bytes: number;
  readonly modified: Date;
  /** Differs between contents, and is the same on all servers. */
  readonly etag: string;
  readonly stream: () => Readable;
}

export interface PackageSource {
  /** @param path - checked already: names divided by single slashes, none of them a dot or two */
  find(path: string): Promise<ServedFile | undefined>;
}

/** A directory: the primary's. */
export class LocalPackages implements PackageSource {
  private readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async find(path: string): Promise<ServedFile | undefined> {
    const file = join(this.directory, path);
    try {
      const found = await stat(file);
      if (!found.isFile()) return undefined;
      const modifiedMs = Math.round(found.mtimeMs);
      const etag = `"${modifiedMs.toString(36)}-${found.size.toString(36)}"`;
      const stream = () => createReadStream(file);
      return { bytes: found.size, modified: new Date(modifiedMs), etag, stream };
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? ''))
        return undefined;
      throw error;
    }
  }
}

export interface MirrorOptions {
  /** Copies are kept here. */
  readonly directory: string;
  readonly client: HttpClient;
  /** `https://primary.example.com:8140` */
  readonly primaryUrl: string;
  /** Asked when it takes long: packages do, but then it is there for others. */
  readonly isPrimaryAway: () => Promise<boolean>;
  readonly log: Logger;
}

/** Packages are large, and the way to the primary may be slow. */
const downloadTimeoutMs = 300_000;

/** A compile server's: what the primary has, and while that is away, what was asked for before. */
export class MirroredPackages implements PackageSource {
  private readonly options: MirrorOptions;
  private readonly copies: LocalPackages;
  private readonly queue = new KeyedQueue();

  constructor(options: MirrorOptions) {
    this.options = options;
    this.copies = new LocalPackages(options.directory);
  }

  /** @throws ServiceError `unavailable`, `timeout` when the primary is away and there is no copy */
  find(path: string): Promise<ServedFile | undefined> {
    // Requests for the same file at the same time wait for the same download.
    return this.queue.run([path], () => this.refreshed(path));
  }

  private async refreshed(path: string): Promise<ServedFile | undefined> {
    const copy = await this.copies.find(path);
    const { client, isPrimaryAway: isAway, log, primaryUrl } = this.options;
    try {
      const answer = await whileThere({ isAway, name: primaryUrl }, (signal) =>
        client.send({
          method: 'GET',
          url: `${primaryUrl}/packages/${path.split('/').map(encodeURIComponent).join('/')}`,
          headers: copy === undefined ? {} : { 'if-none-match': copy.etag },
          signal,
          timeoutMs: downloadTimeoutMs,
        }),
      );
      if (answer.status === 304) return copy;
      if (answer.status === 404) return await this.drop(path);
      if (answer.status !== 200)
        throw new ServiceError('unavailable', `The primary answered with ${answer.status}`);
      return await this.keep(path, answer.body, modifiedOf(answer.headers.etag));
    } catch (err) {
      if (copy === undefined || !(err instanceof ServiceError)) throw err;
      log.warn({ err, path }, 'primary is away, served a package from own copy');
      return copy;
    }
  }

  /** What the primary has no more is not served when it is away, either. */
  private async drop(path: string): Promise<undefined> {
    if ((await this.copies.find(path)) !== undefined)
      await rm(join(this.options.directory, path), { force: true });
  }

  private async keep(path: string, content: Buffer, modified: Date): Promise<ServedFile | undefined> {
    const file = join(this.options.directory, path);
    await makeDirectory(dirname(file));
    await writeFileAtomically(file, content);
    await utimes(file, modified, modified);
    return this.copies.find(path);
  }
}

/** The copy gets the time of the original, to the millisecond, and so the same tag. */
function modifiedOf(etag: string | undefined): Date {
  const time = Number.parseInt(/^"([0-9a-z]+)-/.exec(etag ?? '')?.[1] ?? '0', 36);
  return new Date(time);
}

/** The authority's certificates as agents are to know them, without what else is in the file. */
export async function readCaCertificates(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => `${block}\n`).join('');
}
