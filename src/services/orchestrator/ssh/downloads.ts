/**
 * Files that nodes send: each file or directory is received beside its place, and is put there whole or not at all. Nodes are not
 * trusted: what they send makes nothing but plain files and directories, none of them elsewhere, and not more than fits.
 */

import { constants, createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Header } from 'tar-stream';
import type { RunningProcess } from '../../../platform/processes/index.ts';
import type { CollectedFiles } from './remote-program.ts';
import type { SessionOutcome } from './ssh-session.ts';

export interface DownloadsOptions {
  /** Where they are in the end. */
  readonly directory: string;
  /** Of this server alone, on the same file system. */
  readonly temporaryDirectory: string;
  /** Of one node, in one download. */
  readonly mostBytes?: number;
  readonly mostEntries?: number;
}

export interface DownloadOrder {
  readonly what: CollectedFiles;
  readonly certname: string;
  /** The name of the node in messages. */
  readonly host: string;
}

interface Limits {
  readonly bytes: number;
  readonly entries: number;
}

const prefix = 'download-';

export class Downloads {
  private readonly options: DownloadsOptions;
  private readonly limits: Limits;

  constructor(options: DownloadsOptions) {
    this.options = options;
    this.limits = { bytes: options.mostBytes ?? 2 ** 30, entries: options.mostEntries ?? 100_000 };
  }

  /** Removes unfinished downloads of an earlier process. */
  async start(): Promise<void> {
    const { temporaryDirectory } = this.options;
    const left = (await readdir(temporaryDirectory)).filter((name) => name.startsWith(prefix));
    for (const name of left) await rm(join(temporaryDirectory, name), { recursive: true });
  }

  /** Removes the files of earlier downloads. @throws Error for a destination outside of the directory */
  async clear(destination: string): Promise<void> {
    await rm(this.place(destination), { recursive: true, force: true });
  }

  /** @throws Error for a destination outside of the directory */
  async begin(order: DownloadOrder): Promise<Download> {
    const { certname, what } = order;
    const place = join(this.place(what.destination), certname, what.name);
    const temporary = await mkdtemp(join(this.options.temporaryDirectory, prefix));
    return new Download({ order, place, temporary, limits: this.limits });
  }

  private place(destination: string): string {
    const { directory } = this.options;
    const path = resolve(directory, destination);
    if (path.startsWith(`${resolve(directory)}${sep}`)) return path;
    throw new Error(`${destination} is not below the directory of downloads`);
  }
}

/** The archive of a node is refused. */
class RefusedContent extends Error {}

interface DownloadParts {
  readonly order: DownloadOrder;
  readonly place: string;
  readonly temporary: string;
  readonly limits: Limits;
}

export class Download {
  private readonly parts: DownloadParts;
  /** Those that are whole, for names that stand for the same file, with their sizes. */
  private readonly files = new Map<string, number>();
  private entries = 0;
  private copiedBytes = 0;
  private problem: Error | undefined;

  constructor(parts: DownloadParts) {
    this.parts = parts;
  }

  /** Takes the archive that a program writes, and ends the program when it is not acceptable. Never rejects. */
  async receive({ kill, stdout }: Pick<RunningProcess, 'kill' | 'stdout'>): Promise<void> {
    const tar = extract();
    // Nothing may be awaited between here and the loop: entries without a reader are lost.
    const feeding = pipeline(stdout, new LimitedBytes(this.parts.limits.bytes), tar);
    // Failures are reported below, where the entries are read.
    feeding.catch(() => {});
    try {
      for await (const entry of tar) {
        await this.take(entry.header, entry as unknown as Readable);
        entry.resume();
      }
      await feeding;
    } catch (error) {
      this.problem = error as Error;
      kill();
    } finally {
      stdout.destroy();
      tar.destroy();
    }
  }

  /** Puts what came to its place. @param outcome - of the program that sent it @returns what came of all */
  async settle(outcome: SessionOutcome): Promise<SessionOutcome> {
    const { problem } = this;
    // The program was ended because of it.
    if (problem instanceof RefusedContent || (problem !== undefined && 'syscall' in problem))
      return failed(problem.message);
    if (outcome.kind !== 'ended') return outcome;
    const isComplete = outcome.exitCode === 0 || (outcome.exitCode === 1 && onlyChanges(outcome.stderr));
    if (!isComplete) return outcome;
    if (problem !== undefined) return failed(`what the node sent is no archive: ${problem.message}`);
    if (this.entries === 0) return failed('the node sent nothing');
    try {
      return { ...outcome, exitCode: 0, stdout: JSON.stringify(await this.keep()) };
    } catch (error) {
      return failed(`what the node sent cannot be kept: ${(error as Error).message}`);
    }
  }

  /** Removes the temporary files. */
  async discard(): Promise<void> {
    await rm(this.parts.temporary, { recursive: true, force: true });
  }

  private async keep(): Promise<{ readonly path: string; readonly _output: string }> {
    const { order, place, temporary } = this.parts;
    const { name, source } = order.what;
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await rm(place, { recursive: true, force: true });
    await rename(join(temporary, name), place);
    return { path: place, _output: `Downloaded '${order.host}:${source}' to '${dirname(place)}'` };
  }

  private async take(header: Header, content: Readable): Promise<void> {
    const { limits, temporary } = this.parts;
    const name = this.checkedName(header.name);
    const path = join(temporary, name);
    const size = header.size ?? 0;
    this.entries += 1;
    if (this.entries > limits.entries) throw new RefusedContent(`it has more than ${limits.entries} files`);
    switch (header.type) {
      case 'directory':
        await mkdir(path, 0o700);
        return;
      case 'file':
      case 'contiguous-file': {
        if (size > limits.bytes) throw tooLarge(limits.bytes);
        const mode = 0o600 | ((header.mode ?? 0) & 0o100);
        await pipeline(content, createWriteStream(path, { flags: 'wx', mode }));
        this.files.set(name, size);
        return;
      }
      case 'link':
        await this.copy(this.checkedName(header.linkname ?? ''), name);
        return;
      default:
        throw new RefusedContent(`${shown(header.name)} is neither a file nor a directory`);
    }
  }

  /** A hard link to an earlier file becomes a separate copy. */
  private async copy(from: string, to: string): Promise<void> {
    const { limits, temporary } = this.parts;
    const size = this.files.get(from);
    if (size === undefined) throw new RefusedContent(`${shown(to)} stands for a file that did not come`);
    this.copiedBytes += size;
    if (this.copiedBytes > limits.bytes) throw tooLarge(limits.bytes);
    await copyFile(join(temporary, from), join(temporary, to), constants.COPYFILE_EXCL);
    this.files.set(to, size);
  }

  private checkedName(given: string): string {
    const segments = given
      .replace(/^\.\/+/, '')
      .replace(/\/+$/, '')
      .split('/');
    const isWrong = (segment: string) => ['', '.', '..'].includes(segment) || segment.includes('\0');
    if (segments[0] === this.parts.order.what.name && !segments.some(isWrong)) return segments.join('/');
    throw new RefusedContent(`the node sent ${shown(given)}, which was not asked for`);
  }
}

class LimitedBytes extends Transform {
  private readonly most: number;
  private bytes = 0;

  constructor(most: number) {
    super();
    this.most = most;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.most) done(tooLarge(this.most));
    else done(null, chunk);
  }
}

function tooLarge(most: number): RefusedContent {
  return new RefusedContent(`it is larger than ${Math.floor(most / 2 ** 20)} MiB`);
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}

/** GNU tar warns of a file that changed while it was read, such as a log: its beginning is complete. */
function onlyChanges(stderr: string): boolean {
  const lines = stderr.trim().split('\n');
  return lines.every((line) => /^tar: .*: file changed as we read it$/.test(line));
}

function failed(reason: string): SessionOutcome {
  return { kind: 'ended', exitCode: 1, stdout: '', stderr: reason, details: '' };
}
