/**
 * What lies in a directory, and what has changed there since it was looked at the last time.
 *
 * `find` looks: it reads a hundred thousand entries in a fraction of a second, outside of this process. What it printed
 * is kept as it is; two equal prints need no closer look.
 */

import { spawn } from 'node:child_process';
import { setImmediate as breathe } from 'node:timers/promises';
import { ServiceError } from '../../lib/service-error.ts';
import { parentOf } from './byte-names.ts';

export interface ScannedFile {
  readonly kind: 'file' | 'link';
  readonly isExecutable: boolean;
  readonly bytes: number;
  /** Relative, one character a byte. */
  readonly name: string;
}

/** One look at a directory. */
export interface Scan {
  /** Seconds since the epoch, when the look began. */
  readonly startedSeconds: number;
  /** What `find` printed. */
  readonly print: Buffer;
}

export interface KnownScan extends Scan {
  /** Whether all files had been as they were for a while: an equal print means equal files then. */
  readonly isSettled: boolean;
}

export interface Changes {
  /** Files, links and directories that are there no more. */
  readonly removed: readonly string[];
  /** Files and links that are new or may have changed. */
  readonly written: readonly ScannedFile[];
  /** All directories in which there is nothing. */
  readonly emptyDirectories: readonly string[];
  /** Sockets, pipes, devices: nothing that could be served. */
  readonly skipped: readonly string[];
  /** Of the later look: see `KnownScan`. */
  readonly isSettled: boolean;
}

/** A file changed this shortly before it was looked at may have been changed again without its times showing it. */
const settledAfterSeconds = 1;
/** How many entries are handled before others get their turn: about a millisecond. */
const entriesAtOnce = 2000;

export interface ScanRequest {
  /** Where the files are; a link to there is followed. */
  readonly directory: string;
  /** Names directly below it, or further below, that are not looked into. */
  readonly excluded: readonly string[];
}

/** @throws ServiceError `unavailable` naming what could not be read */
export async function scanDirectory(request: ScanRequest, nowMs: () => number): Promise<Scan> {
  const [scan] = await scanTogether([request], nowMs);
  if (scan === undefined) throw new Error('unreachable: one look for one directory');
  return scan;
}

/** Looks at many directories at once. @returns for those that can't be read what `scanDirectory` throws */
export async function scanDirectories(
  requests: readonly ScanRequest[],
  nowMs: () => number,
): Promise<readonly (Scan | Error)[]> {
  try {
    return await scanTogether(requests, nowMs);
  } catch {
    // One of them spoils it for all: each by itself says what is wrong with which.
    const scans: (Scan | Error)[] = [];
    for (const request of requests)
      scans.push(await scanDirectory(request, nowMs).catch((error: unknown) => error as Error));
    return scans;
  }
}

/** The directories themselves, which alone end with a slash, are printed as the prefix of their entries. */
const format = '%y %m %s %T@ %C@ %i %P\\0';
const beginning = '/%p\\0';

async function scanTogether(requests: readonly ScanRequest[], nowMs: () => number): Promise<readonly Scan[]> {
  const startedSeconds = nowMs() / 1000;
  const roots = requests.map(({ directory }) => `${directory}/`);
  const pruned = requests.flatMap(({ directory, excluded }) =>
    excluded.flatMap((name) => ['-o', '-path', `${escaped(directory)}/${escaped(name)}`]),
  );
  const tests = ['-path', '*/', '-printf', beginning, '-o', '(', '-iname', '.git', ...pruned, ')', '-prune'];
  const print = await printOf(roots, [...tests, '-o', '-printf', format]);
  const scans: Scan[] = [];
  let offset = 0;
  for (const [index, root] of roots.entries()) {
    const head = Buffer.from(`/${root}\0`);
    if (!print.subarray(offset, offset + head.length).equals(head))
      throw new ServiceError('unavailable', `Could not read ${root}`);
    const start = offset + head.length;
    const next = roots[index + 1];
    const end = next === undefined ? print.length : print.indexOf(Buffer.from(`\0/${next}\0`), start - 1) + 1;
    if (end === 0) throw new ServiceError('unavailable', `Could not read ${next}`);
    // A copy: one entry should not hold the memory of all.
    scans.push({ startedSeconds, print: Buffer.from(print.subarray(start, end)) });
    offset = end;
  }
  return scans;
}

/** For patterns of `find`. */
function escaped(name: string): string {
  return name.replaceAll(/[\\*?[\]]/g, '\\$&');
}

function printOf(roots: readonly string[], tests: readonly string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('find', ['-files0-from', '-', ...tests], {
      env: { PATH: '/usr/bin:/bin:/usr/local/bin', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', (cause) =>
      reject(new ServiceError('unavailable', `find could not be started: ${cause.message}`, { cause })),
    );
    child.on('close', (code) => {
      if (code === 0) return resolve(Buffer.concat(output));
      const text = Buffer.concat(errors).toString('utf8').trim();
      reject(new ServiceError('unavailable', `Could not read all files: ${text}`));
    });
    child.stdin.on('error', () => {}); // its exit code says what was wrong
    child.stdin.end(roots.map((root) => `${root}\0`).join(''));
  });
}

/**
 * @param before - `undefined` when everything counts as changed
 * @returns `undefined` when nothing has changed
 */
export async function changesBetween(
  before: KnownScan | undefined,
  after: Scan,
): Promise<Changes | undefined> {
  if (before?.isSettled === true && before.print.equals(after.print)) return undefined;
  const known = before === undefined ? undefined : await readPrint(before.print);
  const present = await readPrint(after.print);
  const written: ScannedFile[] = [];
  const skipped: string[] = [];
  const directories = new Set<string>();
  const parents = new Set<string>();
  let isSettled = true;
  let handled = 0;
  for (const [name, entry] of present) {
    handled += 1;
    if (handled % entriesAtOnce === 0) await breathe();
    if (entry.kind === 'd') directories.add(name);
    else if (entry.kind !== 'f' && entry.kind !== 'l') {
      skipped.push(name);
      continue;
    } else {
      if (!isSame(known?.get(name), entry, before)) written.push(fileOf(name, entry));
      isSettled &&= isSettledEntry(entry, after.startedSeconds);
    }
    parents.add(parentOf(name));
  }
  return {
    removed: known === undefined ? [] : await removedFrom(known, present),
    written,
    emptyDirectories: [...directories].filter((name) => !parents.has(name)).sort(),
    skipped,
    isSettled,
  };
}

interface Entry {
  readonly kind: string;
  readonly mode: number;
  readonly bytes: number;
  readonly changedSeconds: number;
  /** Everything that `find` printed of it but the name. */
  readonly stamp: string;
}

function isSame(known: Entry | undefined, entry: Entry, before: Scan | undefined): boolean {
  if (known === undefined || before === undefined || known.stamp !== entry.stamp) return false;
  return isSettledEntry(known, before.startedSeconds);
}

function isSettledEntry(entry: Entry, startedSeconds: number): boolean {
  return entry.changedSeconds < startedSeconds - settledAfterSeconds;
}

async function removedFrom(
  known: ReadonlyMap<string, Entry>,
  present: ReadonlyMap<string, Entry>,
): Promise<string[]> {
  const removed: string[] = [];
  let handled = 0;
  for (const [name, entry] of known) {
    handled += 1;
    if (handled % entriesAtOnce === 0) await breathe();
    const now = present.get(name);
    // What was a directory and is a file now, or the other way round, is removed first.
    if (now === undefined || now.kind !== entry.kind) removed.push(name);
  }
  return removed;
}

function fileOf(name: string, { kind, mode, bytes }: Entry): ScannedFile {
  return { kind: kind === 'l' ? 'link' : 'file', isExecutable: (mode & 0o100) !== 0, bytes, name };
}

async function readPrint(print: Buffer): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  let start = 0;
  let handled = 0;
  while (start < print.length) {
    const end = print.indexOf(0, start);
    if (end < 0) break;
    const line = print.toString('latin1', start, end);
    const match = /^(.) (\d+) (\d+) (-?[\d.]+) (-?[\d.]+) \d+ /.exec(line);
    if (match !== null) entries.set(line.slice(match[0].length), entryOf(match));
    start = end + 1;
    handled += 1;
    if (handled % entriesAtOnce === 0) await breathe();
  }
  return entries;
}

function entryOf([
  stamp,
  kind = '',
  mode = '',
  bytes = '',
  modified = '',
  changed = '',
]: RegExpExecArray): Entry {
  return {
    kind,
    mode: Number.parseInt(mode, 8),
    bytes: Number(bytes),
    changedSeconds: Math.max(Number(modified), Number(changed)),
    // A directory's times change with what is in it, which is compared by itself.
    stamp: kind === 'd' ? 'd' : stamp,
  };
}
