/** What a guest has open: files and directories of this machine, for reading only, and streams of ours. */

import { type BigIntStats, closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';

/** Bytes that come and go without a position. */
export interface ByteStream {
  /** @returns how many; 0 at the end */
  read(target: Uint8Array): number;
  /** @returns false when there is no reader any more */
  write(parts: readonly Uint8Array[]): boolean;
}

export interface DirectoryEntry {
  readonly name: Uint8Array;
  readonly type: number;
}

export type OpenFile =
  | { readonly kind: 'stream'; readonly stream: ByteStream }
  | { readonly kind: 'file'; readonly file: RegularFile }
  | { readonly kind: 'directory'; readonly directory: Directory; readonly isGiven: boolean };

/** Types of files. @see WASI preview 1, "filetype" */
const UNKNOWN = 0;
const BLOCK_DEVICE = 1;
export const CHARACTER_DEVICE = 2;
export const DIRECTORY = 3;
export const REGULAR_FILE = 4;
const SYMBOLIC_LINK = 7;

interface TypeQuestions {
  isDirectory(): boolean;
  isFile(): boolean;
  isSymbolicLink(): boolean;
  isCharacterDevice(): boolean;
  isBlockDevice(): boolean;
}

export function fileType(status: TypeQuestions): number {
  if (status.isDirectory()) return DIRECTORY;
  if (status.isFile()) return REGULAR_FILE;
  if (status.isSymbolicLink()) return SYMBOLIC_LINK;
  if (status.isCharacterDevice()) return CHARACTER_DEVICE;
  return status.isBlockDevice() ? BLOCK_DEVICE : UNKNOWN;
}

/** A file of the machine, or anything else that is read as one. */
export class RegularFile {
  readonly type: number;
  position = 0n;
  private readonly descriptor: number;

  constructor(path: string) {
    this.descriptor = openSync(path, 'r');
    this.type = fileType(this.status());
  }

  status(): BigIntStats {
    return fstatSync(this.descriptor, { bigint: true });
  }

  /** @param at - where to read; from where the last read ended when absent */
  read(target: Uint8Array, at?: bigint): number {
    const position = at ?? (this.type === REGULAR_FILE ? this.position : null);
    const count = readSync(this.descriptor, target, 0, target.length, position);
    if (at === undefined) this.position += BigInt(count);
    return count;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

export class Directory {
  readonly path: string;
  private known: readonly DirectoryEntry[] | undefined;

  constructor(path: string) {
    this.path = path;
  }

  status(): BigIntStats {
    return statSync(this.path, { bigint: true });
  }

  /** In an order that stays the same while it is open; from the start again when it changes. */
  entries(isFromStart: boolean): readonly DirectoryEntry[] {
    if (this.known === undefined || isFromStart) this.known = readEntries(this.path);
    return this.known;
  }

  /** @param relative - without a slash at its start */
  within(relative: string): string {
    return this.path === '/' ? `/${relative}` : `${this.path}/${relative}`;
  }
}

function readEntries(path: string): readonly DirectoryEntry[] {
  const own = ['.', '..'].map((name) => ({ name: Buffer.from(name), type: DIRECTORY }));
  const found = readdirSync(path, { withFileTypes: true, encoding: 'buffer' });
  return [...own, ...found.map((entry) => ({ name: entry.name, type: fileType(entry) }))];
}

/** By the numbers that a guest knows. */
export class OpenFiles {
  private readonly files = new Map<number, OpenFile>();

  constructor(first: readonly OpenFile[]) {
    for (const [descriptor, file] of first.entries()) this.files.set(descriptor, file);
  }

  get(descriptor: number): OpenFile | undefined {
    return this.files.get(descriptor);
  }

  get size(): number {
    return this.files.size;
  }

  /** @returns the lowest free number */
  add(file: OpenFile): number {
    let descriptor = 0;
    while (this.files.has(descriptor)) descriptor += 1;
    this.files.set(descriptor, file);
    return descriptor;
  }

  /** @returns false when there is no such file */
  close(descriptor: number): boolean {
    const found = this.files.get(descriptor);
    if (found === undefined) return false;
    if (found.kind === 'file') found.file.close();
    return this.files.delete(descriptor);
  }

  /** @returns false when there is no such file */
  renumber(from: number, to: number): boolean {
    const found = this.files.get(from);
    if (found === undefined) return false;
    if (from === to) return true;
    this.close(to);
    this.files.delete(from);
    this.files.set(to, found);
    return true;
  }
}
