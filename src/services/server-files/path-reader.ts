/** Reads the files of wanted paths, and again only what has changed. */

import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfferedFile, PathProblem, WantedPath } from './termini.ts';

export interface PathReaderOptions {
  /** Directories that belong to each server alone: certificates, keys, state. */
  readonly ownDirectories: readonly string[];
  readonly maxFileBytes?: number;
  readonly maxTotalBytes?: number;
  readonly maxFiles?: number;
}

export interface ReadPaths {
  /** By path. */
  readonly files: readonly OfferedFile[];
  readonly problems: readonly PathProblem[];
  /** The same for the same files with the same contents and the same problems. */
  readonly digest: string;
}

interface KnownFile {
  readonly stamp: string;
  readonly file: OfferedFile;
  readonly digest: string;
}

const mebibyte = 1024 * 1024;

export class PathReader {
  private readonly options: PathReaderOptions;
  private readonly limits: {
    readonly fileBytes: number;
    readonly totalBytes: number;
    readonly files: number;
  };
  private known = new Map<string, KnownFile>();
  private own: readonly string[] = [];

  constructor(options: PathReaderOptions) {
    this.options = options;
    this.limits = {
      fileBytes: options.maxFileBytes ?? 4 * mebibyte,
      totalBytes: options.maxTotalBytes ?? 16 * mebibyte,
      files: options.maxFiles ?? 1000,
    };
  }

  /** Never rejects because of a path: what can't be read is a problem. */
  async read(wanted: readonly WantedPath[]): Promise<ReadPaths> {
    const found = new Map<string, KnownFile>();
    const problems: PathProblem[] = [];
    let totalBytes = 0;
    this.own = await this.ownDirectories();
    for (const each of wanted)
      try {
        const files = (await this.filesOf(each.path)).filter(({ file }) => !found.has(file.path));
        const bytes = files.reduce((sum, { file }) => sum + file.content.length, 0);
        if (totalBytes + bytes > this.limits.totalBytes)
          throw new Refused(`all files together are larger than ${inMebibytes(this.limits.totalBytes)}`);
        totalBytes += bytes;
        for (const known of files) found.set(known.file.path, known);
      } catch (error) {
        problems.push({ ...each, reason: reasonOf(error) });
      }
    this.known = found;
    const sorted = [...found.values()].sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
    return { files: sorted.map(({ file }) => file), problems, digest: digestOf(sorted, problems) };
  }

  private async filesOf(path: string): Promise<readonly KnownFile[]> {
    // A link that stands at the path itself is what the administrator named.
    const real = await realpath(path);
    this.refuseOwn(path, real);
    const stats = await stat(real);
    // Opening a pipe would wait for who writes to it.
    if (stats.isFile()) return [await this.file(path, real)];
    if (!stats.isDirectory()) throw new Refused('it is neither a file nor a directory');
    const files: KnownFile[] = [];
    await this.addFilesIn({ path, chain: [real] }, files);
    return files;
  }

  /** @param chain - the real directories from the wanted one down to this one */
  private async addFilesIn(
    { chain, path }: { readonly path: string; readonly chain: readonly string[] },
    files: KnownFile[],
  ): Promise<void> {
    const directory = chain.at(-1) ?? '';
    for (const name of (await readdir(directory)).sort()) {
      const inside = join(path, name);
      const real = await realpath(join(directory, name));
      if (!isWithin(real, chain[0] ?? ''))
        throw new Refused(`${inside} is a link to ${real}, outside of the directory`);
      if (chain.includes(real)) throw new Refused(`${inside} is a link to a directory above it`);
      this.refuseOwn(inside, real);
      const stats = await stat(real);
      if (stats.isDirectory()) await this.addFilesIn({ path: inside, chain: [...chain, real] }, files);
      // Others are sockets, of gpg-agent for instance.
      else if (stats.isFile()) files.push(await this.file(inside, real));
      if (files.length > this.limits.files) throw new Refused(`it has more than ${this.limits.files} files`);
    }
  }

  private async file(path: string, real: string): Promise<KnownFile> {
    const handle = await open(real);
    try {
      const stats = await handle.stat({ bigint: true });
      if (stats.size > this.limits.fileBytes)
        throw new Refused(`${path} is larger than ${inMebibytes(this.limits.fileBytes)}`);
      const known = this.known.get(path);
      const stamp = stampOf(stats);
      if (known?.stamp === stamp) return known;
      const content = await handle.readFile();
      const digest = createHash('sha256').update(content).digest('hex');
      return { stamp, file: { path, isProgram: (stats.mode & 0o111n) !== 0n, content }, digest };
    } finally {
      await handle.close();
    }
  }

  /** As they are named, and where they are. */
  private async ownDirectories(): Promise<readonly string[]> {
    const named = this.options.ownDirectories;
    const real = await Promise.all(named.map((directory) => realpath(directory).catch(() => directory)));
    return [...named, ...real];
  }

  private refuseOwn(path: string, real: string): void {
    const own = this.own.find((directory) => isWithin(real, directory));
    if (own !== undefined) throw new Refused(`${path} is in ${own}, which each server has for itself`);
  }
}

class Refused extends Error {}

export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

function stampOf({ ctimeNs, dev, ino, mode, mtimeNs, size }: BigIntStats): string {
  return [dev, ino, size, mode, mtimeNs, ctimeNs].join(' ');
}

function digestOf(files: readonly KnownFile[], problems: readonly PathProblem[]): string {
  const hash = createHash('sha256');
  const known = files.map(({ digest, file: { isProgram, path } }) => [path, isProgram, digest]);
  hash.update(JSON.stringify([known, problems]));
  return hash.digest('hex');
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'it is a link that leads to itself',
  ENXIO: 'it is neither a file nor a directory',
};

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  const { code, message, path } = error as NodeJS.ErrnoException;
  const reason = reasons[code ?? ''] ?? message;
  return path === undefined ? reason : `${reason} (${path})`;
}

function inMebibytes(bytes: number): string {
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`;
}
