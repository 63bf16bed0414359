/** The program of this server as one archive, which new compile servers run. */

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere } from '../../lib/if-there.ts';
import { makeDirectory } from '../../lib/make-directory.ts';
import type { Logger } from '../../platform/log/index.ts';

/** Where the files of a program are. */
export interface ProgramSource {
  /** The bundle. */
  readonly dist: string;
  /** The script that starts it. */
  readonly launcher: string;
  /** The executable of Node. */
  readonly node: string;
}

export interface ProgramDescription {
  /** Of the archive, hexadecimal. */
  readonly sha256: string;
  /** What it runs on: `linux-x64`. */
  readonly platform: string;
}

export interface ProgramArchiveOptions {
  /** Absent where the program runs from its sources: then there is no archive. */
  readonly source: ProgramSource | undefined;
  /** The archive is kept here. */
  readonly directory: string;
  readonly log: Logger;
}

interface Entry {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly isExecutable: boolean;
}

/** Takes 1.8 s of a processor; 9 % larger than at level 9, which takes many times as long. */
const compressionLevel = 4;
const platform = `${process.platform}-${process.arch}`;

export class ProgramArchive {
  private readonly options: ProgramArchiveOptions;
  private made: Promise<ProgramDescription | undefined> | undefined;

  constructor(options: ProgramArchiveOptions) {
    this.options = options;
  }

  /** Makes the archive when it is asked for the first time. @returns `undefined` without one */
  async describe(): Promise<ProgramDescription | undefined> {
    this.made ??= this.make();
    try {
      return await this.made;
    } catch (error) {
      // The disk may have room the next time.
      this.made = undefined;
      throw error;
    }
  }

  /** @returns `undefined` for another archive than the one that there is */
  async open(
    sha256: string,
  ): Promise<{ readonly bytes: number; readonly stream: () => Readable } | undefined> {
    const description = await this.describe();
    if (description?.sha256 !== sha256) return undefined;
    const file = this.fileOf(sha256);
    const { size } = await stat(file);
    return { bytes: size, stream: () => createReadStream(file) };
  }

  private async make(): Promise<ProgramDescription | undefined> {
    const { directory, log, source } = this.options;
    if (source === undefined) return undefined;
    const entries = await entriesOf(source);
    const state = stateOf(entries);
    const known = await this.knownFor(state);
    if (known !== undefined) return { sha256: known, platform };
    await rm(directory, { recursive: true, force: true });
    await makeDirectory(directory);
    const unfinished = join(directory, 'unfinished');
    const sha256 = await write(entries, unfinished);
    await rename(unfinished, this.fileOf(sha256));
    await writeFileAtomically(this.noteFile, `${state} ${sha256}\n`);
    log.info({ sha256 }, 'made the archive of the program for compile servers');
    return { sha256, platform };
  }

  /** The digest of the archive that an earlier start has made of the same files. */
  private async knownFor(state: string): Promise<string | undefined> {
    const note = await ifThere(readFile(this.noteFile, 'utf8'));
    const [of, sha256] = note?.trim().split(' ') ?? [];
    if (of !== state || sha256 === undefined) return undefined;
    return (await ifThere(stat(this.fileOf(sha256)))) === undefined ? undefined : sha256;
  }

  private get noteFile(): string {
    return join(this.options.directory, 'archive');
  }

  private fileOf(sha256: string): string {
    return join(this.options.directory, `${sha256}.tar.gz`);
  }
}

/** As in a checkout of the project, so that the launcher finds its parts. Source maps are left out. */
async function entriesOf({ dist, launcher, node }: ProgramSource): Promise<readonly Entry[]> {
  const found = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map') && entry.name !== '.sources')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all([
    entryOf('bin/bunraku', launcher, true),
    entryOf('package.json', join(dist, 'package.json')),
    entryOf(`node_modules/node-${platform}/bin/node`, node, true),
    ...files.map((path) => entryOf(`dist/${relative(dist, path)}`, path)),
  ]);
}

async function entryOf(name: string, path: string, isProgram = false): Promise<Entry> {
  const { mode, mtimeMs, size } = await stat(path);
  return { name, path, bytes: size, modifiedMs: mtimeMs, isExecutable: isProgram || (mode & 0o100) !== 0 };
}

/** Tells whether files have changed, without reading them: one of them has 120 MB. */
function stateOf(entries: readonly Entry[]): string {
  const hash = createHash('sha256');
  for (const { bytes, modifiedMs, name } of entries) hash.update(`${name} ${bytes} ${modifiedMs}\n`);
  return hash.digest('hex');
}

/** @returns the SHA-256 of what was written */
async function write(entries: readonly Entry[], file: string): Promise<string> {
  const tar = pack();
  const hash = createHash('sha256');
  const hashed = new PassThrough();
  hashed.on('data', (bytes: Buffer) => hash.update(bytes));
  const zip = createGzip({ level: compressionLevel });
  const written = pipeline(tar, zip, hashed, createWriteStream(file, { mode: 0o600 }));
  const filled = fill(tar, entries).catch((error: unknown) => {
    tar.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  await Promise.all([written, filled]);
  return hash.digest('hex');
}

/** Times and owners are left out: the same files make the same archive. */
async function fill(tar: Pack, entries: readonly Entry[]): Promise<void> {
  for (const { bytes, isExecutable, name, path } of entries) {
    const header = { name, size: bytes, mode: isExecutable ? 0o755 : 0o644, mtime: new Date(0) };
    await pipeline(createReadStream(path), tar.entry(header));
  }
  tar.finalize();
}
