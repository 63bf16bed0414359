/** The files that the primary has for compile servers, as they are now. */

import { createHash } from 'node:crypto';
import type { Logger } from '../../platform/log/index.ts';
import { PathReader, type PathReaderOptions, type ReadPaths } from './path-reader.ts';
import type { Payload, WantedPath } from './termini.ts';

/** What compile servers need, by settings and by code. */
export interface WantedFiles {
  readonly paths: readonly WantedPath[];
  /** The global `hiera.yaml`; absent when there is none. */
  readonly hieraConfig?: string;
}

export interface OfferedFilesOptions extends PathReaderOptions {
  readonly wanted: () => Promise<WantedFiles>;
  readonly log: Logger;
}

export class OfferedFiles {
  private readonly wanted: () => Promise<WantedFiles>;
  private readonly reader: PathReader;
  private readonly log: Logger;
  private readonly listeners = new Set<() => void>();
  private latest: { readonly payload: Payload; readonly digest: string } | undefined;

  constructor({ log, wanted, ...options }: OfferedFilesOptions) {
    this.wanted = wanted;
    this.reader = new PathReader(options);
    this.log = log;
  }

  /** `undefined` before the first look. */
  get current(): { readonly payload: Payload; readonly digest: string } | undefined {
    return this.latest;
  }

  /** Reads what has changed. To be called every second. */
  async look(): Promise<void> {
    const wanted = await this.wanted();
    const read = await this.reader.read(wanted.paths);
    const digest = digestOf(wanted, read);
    if (this.latest?.digest === digest) return;
    this.tell(read);
    const paths = wanted.paths.map(({ path }) => path);
    const { files, problems } = read;
    const { hieraConfig } = wanted;
    this.latest = {
      digest,
      payload: { paths, files, problems, ...(hieraConfig === undefined ? {} : { hieraConfig }) },
    };
    for (const listener of this.listeners) listener();
  }

  /** Calls the listener after each change. @returns a function that ends it */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell({ files, problems }: ReadPaths): void {
    this.log.info({ files: files.map(({ path }) => path) }, 'files for compile servers');
    const before = new Set(this.latest?.payload.problems.map(({ path, reason }) => `${path}\n${reason}`));
    for (const { path, reason, source } of problems)
      if (!before.has(`${path}\n${reason}`))
        this.log.warn({ path, reason, source }, 'compile servers do not get a file: it cannot be read here');
  }
}

function digestOf({ hieraConfig = '', paths }: WantedFiles, { digest }: ReadPaths): string {
  const named = JSON.stringify([digest, hieraConfig, paths]);
  return createHash('sha256').update(named).digest('hex');
}
