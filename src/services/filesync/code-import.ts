/** Writes files into the repository as commits, by one run of `git fast-import` for all of them. */

import { type FileHandle, open, readFile, readlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { endOf, type Git } from '../../platform/git/index.ts';
import { pathOf, quoted, readable } from './byte-names.ts';
import type { ScannedFile } from './scan.ts';

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface CommitMessage {
  readonly message: string;
  readonly author: Identity;
}

/** One thing at the top of a commit's tree. */
export type CommitPart =
  | { readonly kind: 'tree'; readonly name: string; readonly tree: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | {
      readonly kind: 'files';
      readonly name: string;
      /** The tree that is changed; begun empty when absent. */
      readonly base: string | undefined;
      readonly removed: readonly string[];
      readonly written: readonly ScannedFile[];
      /** Where the files are. */
      readonly directory: string;
    };

export interface CommitOrder extends CommitMessage {
  /** What keeps it from being collected as garbage. */
  readonly ref: string;
  /** Seconds since the epoch. */
  readonly seconds: number;
  readonly parts: readonly CommitPart[];
}

export interface MadeCommit {
  readonly commit: string;
  /** The tree of the whole. */
  readonly tree: string;
  /** The trees of its parts, by name; those without a file in them are absent. */
  readonly parts: Readonly<Record<string, string>>;
}

/** A file was changed or removed while it was read: look again. */
export class ChangedMeanwhile extends Error {}

/** Files up to this size are read at once, several of them ahead. */
const wholeBytes = 1024 * 1024;
const readAhead = 16;
const importTimeoutMs = 60 * 60 * 1000;

/**
 * Makes one commit without a parent for each order.
 *
 * @throws ChangedMeanwhile when a file changed while it was read; GitError when git fails; the system's error for files
 * that can't be read. Nothing is kept then.
 */
export async function importCommits(
  git: Git,
  repository: string,
  orders: readonly CommitOrder[],
): Promise<readonly MadeCommit[]> {
  const child = git.spawn(
    [`--git-dir=${repository}`, ...importConfiguration, 'fast-import', '--quiet', '--done', '--depth=0'],
    { timeoutMs: importTimeoutMs },
  );
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  // Without the final `done`, fast-import gives everything up: what we throw leaves nothing behind.
  const [fed, ended] = await Promise.allSettled([
    pipeline(Readable.from(streamOf(orders)), child.stdin),
    endOf(child, 'fast-import'),
  ]);
  // What kept us from feeding it is why it failed, unless it had ended before.
  if (fed.status === 'rejected' && !isBrokenPipe(fed.reason)) throw fed.reason;
  if (ended.status === 'rejected') throw ended.reason;
  return readAnswers(Buffer.concat(output).toString('latin1'), orders);
}

const importConfiguration = [
  'fastimport.unpackLimit=1',
  // Larger files pass through without being held in memory.
  'core.bigFileThreshold=8m',
  'core.compression=1',
].flatMap((entry) => ['-c', entry]);

/** Whether a stream failed because the program that read it had ended: that says why. */
export function isBrokenPipe(error: unknown): boolean {
  const { code } = error as { readonly code?: string };
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

async function* streamOf(orders: readonly CommitOrder[]): AsyncGenerator<Buffer> {
  for (const [index, order] of orders.entries()) {
    yield* commitStream(index + 1, order);
    yield Buffer.from(`\n`);
  }
  for (const [index, { parts }] of orders.entries()) {
    const mark = `:${index + 1}`;
    const asked = ['""', ...parts.filter(isTree).map(({ name }) => quoted(name))];
    yield Buffer.from(`get-mark ${mark}\n${asked.map((path) => `ls ${mark} ${path}\n`).join('')}`);
  }
  yield Buffer.from('done\n');
}

function isTree(part: CommitPart): boolean {
  return part.kind !== 'text';
}

async function* commitStream(mark: number, order: CommitOrder): AsyncGenerator<Buffer> {
  const who = `${plain(order.author.name)} <${plain(order.author.email)}> ${order.seconds} +0000`;
  const message = Buffer.from(order.message);
  yield Buffer.from(
    `commit ${order.ref}\nmark :${mark}\nauthor ${who}\ncommitter ${who}\ndata ${message.length}\n`,
  );
  yield message;
  yield Buffer.from('\n');
  for (const part of order.parts) yield* partStream(part);
}

/** git's lines for people have no room for these. */
function plain(text: string): string {
  return text.replaceAll(/[<>\0\r\n]/g, ' ').trim();
}

async function* partStream(part: CommitPart): AsyncGenerator<Buffer> {
  if (part.kind === 'tree') {
    yield Buffer.from(`M 040000 ${part.tree} ${part.name}\n`);
    return;
  }
  if (part.kind === 'text') {
    const content = Buffer.from(part.text);
    yield Buffer.concat([
      Buffer.from(`M 100644 inline ${part.name}\ndata ${content.length}\n`),
      content,
      newline,
    ]);
    return;
  }
  if (part.base !== undefined) yield Buffer.from(`M 040000 ${part.base} ${part.name}\n`);
  for (const name of part.removed) yield Buffer.from(`D ${quoted(`${part.name}/${name}`)}\n`, 'latin1');
  yield* filesStream(part.name, part.directory, part.written);
}

const newline = Buffer.from('\n');

async function* filesStream(
  prefix: string,
  directory: string,
  files: readonly ScannedFile[],
): AsyncGenerator<Buffer> {
  const ahead: Promise<Buffer | undefined>[] = [];
  for (const [index, file] of files.entries()) {
    while (ahead.length < readAhead && index + ahead.length < files.length) {
      const next = files[index + ahead.length];
      const content = next === undefined ? undefined : readSmall(directory, next);
      content?.catch(() => {}); // its reader gets the rejection
      ahead.push(content ?? Promise.resolve(undefined));
    }
    const content = await ahead.shift();
    const mode = file.kind === 'link' ? '120000' : file.isExecutable ? '100755' : '100644';
    const head = Buffer.from(`M ${mode} inline ${quoted(`${prefix}/${file.name}`)}\n`, 'latin1');
    if (content === undefined) {
      yield head;
      yield* largeFile(directory, file);
    } else yield Buffer.concat([head, Buffer.from(`data ${content.length}\n`), content, newline]);
  }
}

/** @returns `undefined` for what is too large to be held */
async function readSmall(directory: string, file: ScannedFile): Promise<Buffer | undefined> {
  const path = pathOf(directory, file.name);
  try {
    if (file.kind === 'link') return await readlink(path, { encoding: 'buffer' });
    return file.bytes > wholeBytes ? undefined : await readFile(path);
  } catch (error) {
    throw asChange(error, file);
  }
}

async function* largeFile(directory: string, file: ScannedFile): AsyncGenerator<Buffer> {
  let handle: FileHandle;
  try {
    handle = await open(pathOf(directory, file.name));
  } catch (error) {
    throw asChange(error, file);
  }
  try {
    const { size } = await handle.stat();
    yield Buffer.from(`data ${size}\n`);
    let left = size;
    if (size > 0)
      for await (const chunk of handle.createReadStream({
        end: size - 1,
        autoClose: false,
        highWaterMark: 256 * 1024,
      })) {
        left -= (chunk as Buffer).length;
        yield chunk as Buffer;
      }
    if (left !== 0) throw new ChangedMeanwhile(`${readable(file.name)} changed while it was read`);
    yield newline;
  } finally {
    await handle.close();
  }
}

function asChange(error: unknown, file: ScannedFile): unknown {
  const { code } = error as { readonly code?: string };
  if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EINVAL' && code !== 'EISDIR') return error;
  return new ChangedMeanwhile(`${readable(file.name)} changed while it was read`, { cause: error });
}

/** The answers come in the order of the questions. */
function readAnswers(text: string, orders: readonly CommitOrder[]): readonly MadeCommit[] {
  const lines = text.split('\n');
  return orders.map(({ parts }) => {
    const commit = lines.shift() ?? '';
    const tree = treeIn(lines.shift()) ?? '';
    const trees = parts.filter(isTree).flatMap(({ name }) => {
      const id = treeIn(lines.shift());
      return id === undefined ? [] : [[name, id] as const];
    });
    return { commit, tree, parts: Object.fromEntries(trees) };
  });
}

function treeIn(line: string | undefined): string | undefined {
  return /^040000 tree ([0-9a-f]{40})/.exec(line ?? '')?.[1];
}
