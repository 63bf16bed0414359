/**
 * Files for a guest: those of this machine, to be read and nothing else.
 *
 * @see WASI preview 1: calls whose names begin with `fd_` and `path_`
 */

import { type BigIntStats, lstatSync, readlinkSync, statSync } from 'node:fs';
import type { GuestMemory } from './guest-memory.ts';
import {
  type ByteStream,
  CHARACTER_DEVICE,
  DIRECTORY,
  Directory,
  type DirectoryEntry,
  fileType,
  type OpenFile,
  OpenFiles,
  REGULAR_FILE,
  RegularFile,
} from './open-files.ts';
import {
  BAD_DESCRIPTOR,
  INVALID,
  IS_A_DIRECTORY,
  NOT_A_DIRECTORY,
  NOT_SEEKABLE,
  READ_ONLY,
  SUCCESS,
} from './wasi-errors.ts';
import type { WasmFunction } from './web-assembly.ts';

const FOLLOW_LINKS = 1;
const OPEN_CREATE = 1;
const OPEN_DIRECTORY = 2;
const OPEN_TRUNCATE = 8;
const RIGHT_TO_WRITE = 64n;
const ALL_RIGHTS = 0x1f_ff_ff_ffn;
const ENTRY_BYTES = 24;
const STATUS_BYTES = 64;

export interface FilesOptions {
  /** Descriptors 0, 1 and 2. */
  readonly standard: readonly [ByteStream, ByteStream, ByteStream];
  /** Absolute paths of directories that the guest may read. */
  readonly directories: readonly string[];
  /** What is found under these paths instead of files, each by the first who opens it. */
  readonly streams: ReadonlyMap<string, ByteStream>;
}

type Calls = Readonly<Record<string, WasmFunction>>;

export class WasiFiles {
  readonly calls: Calls;
  private readonly memory: () => GuestMemory;
  private readonly open: OpenFiles;
  private readonly streams: Map<string, ByteStream>;
  private readonly atFirst: number;

  /** @param memory - not called before the guest runs */
  constructor(options: FilesOptions, memory: () => GuestMemory) {
    this.memory = memory;
    this.streams = new Map(options.streams);
    this.open = new OpenFiles([
      ...options.standard.map((stream): OpenFile => ({ kind: 'stream', stream })),
      ...options.directories.map(
        (path): OpenFile => ({ kind: 'directory', directory: new Directory(path), isGiven: true }),
      ),
    ]);
    this.atFirst = this.open.size;
    this.calls = {
      ...this.givenDirectoryCalls(),
      ...this.descriptorCalls(),
      ...this.readingCalls(),
      ...this.pathCalls(),
      ...changingCalls,
    };
  }

  /** Whether nothing is open that was not at the beginning. */
  get isAsAtFirst(): boolean {
    return this.open.size === this.atFirst;
  }

  private givenDirectoryCalls(): Calls {
    const given = (descriptor: unknown) => {
      const found = this.open.get(Number(descriptor));
      return found?.kind === 'directory' && found.isGiven ? Buffer.from(found.directory.path) : undefined;
    };
    return {
      fd_prestat_get: (descriptor, result) => {
        const path = given(descriptor);
        if (path === undefined) return BAD_DESCRIPTOR;
        this.memory().setNumber(Number(result), 0);
        this.memory().setNumber(Number(result) + 4, path.length);
        return SUCCESS;
      },
      fd_prestat_dir_name: (descriptor, address, count) => {
        const path = given(descriptor);
        if (path === undefined) return BAD_DESCRIPTOR;
        this.memory().bytes.set(path.subarray(0, Number(count)), Number(address));
        return SUCCESS;
      },
    };
  }

  private descriptorCalls(): Calls {
    return {
      fd_fdstat_get: (descriptor, result) => this.describe(Number(descriptor), Number(result)),
      fd_filestat_get: (descriptor, result) => this.statusOf(Number(descriptor), Number(result)),
      fd_close: (descriptor) => (this.open.close(Number(descriptor)) ? SUCCESS : BAD_DESCRIPTOR),
      fd_renumber: (from, to) => (this.open.renumber(Number(from), Number(to)) ? SUCCESS : BAD_DESCRIPTOR),
      fd_seek: (descriptor, offset, whence, result) =>
        this.seek(Number(descriptor), BigInt(offset ?? 0), Number(whence), Number(result)),
      fd_tell: (descriptor, result) => this.seek(Number(descriptor), 0n, 1, Number(result)),
    };
  }

  private readingCalls(): Calls {
    return {
      fd_read: (descriptor, vectors, count, result) =>
        this.read(Number(descriptor), this.memory().vectors(Number(vectors), Number(count)), Number(result)),
      fd_pread: (...[descriptor, vectors, count, offset, result]) => {
        const buffers = this.memory().vectors(Number(vectors), Number(count));
        return this.read(Number(descriptor), buffers, Number(result), BigInt(offset ?? 0));
      },
      fd_write: (descriptor, vectors, count, result) =>
        this.write(Number(descriptor), this.memory().vectors(Number(vectors), Number(count)), Number(result)),
      fd_readdir: (...[descriptor, address, size, cookie, result]) => {
        const found = this.open.get(Number(descriptor));
        if (found?.kind !== 'directory') return found === undefined ? BAD_DESCRIPTOR : NOT_A_DIRECTORY;
        const target = this.memory().slice(Number(address), Number(size));
        const first = Number(cookie);
        this.memory().setNumber(
          Number(result),
          writeEntries(found.directory.entries(first === 0), first, target),
        );
        return SUCCESS;
      },
    };
  }

  private pathCalls(): Calls {
    return {
      path_open: (...[directory, , path, count, flags, rights, , , result]) => {
        const place = this.place(directory, path, count);
        if (place === undefined) return BAD_DESCRIPTOR;
        return this.openPath(place, Number(flags), BigInt(rights ?? 0), Number(result));
      },
      path_filestat_get: (...[directory, links, path, count, result]) => {
        const place = this.place(directory, path, count);
        if (place === undefined) return BAD_DESCRIPTOR;
        const follows = (Number(links) & FOLLOW_LINKS) !== 0;
        this.setStatus(Number(result), (follows ? statSync : lstatSync)(place, { bigint: true }));
        return SUCCESS;
      },
      path_readlink: (...[directory, path, count, address, size, result]) => {
        const place = this.place(directory, path, count);
        if (place === undefined) return BAD_DESCRIPTOR;
        const target = readlinkSync(place, { encoding: 'buffer' }).subarray(0, Number(size));
        this.memory().bytes.set(target, Number(address));
        this.memory().setNumber(Number(result), target.length);
        return SUCCESS;
      },
    };
  }

  private describe(descriptor: number, result: number): number {
    const found = this.open.get(descriptor);
    if (found === undefined) return BAD_DESCRIPTOR;
    const { view } = this.memory();
    view.setUint8(result, typeOf(found));
    view.setUint16(result + 2, 0, true);
    view.setBigUint64(result + 8, ALL_RIGHTS, true);
    view.setBigUint64(result + 16, ALL_RIGHTS, true);
    return SUCCESS;
  }

  private statusOf(descriptor: number, result: number): number {
    const found = this.open.get(descriptor);
    if (found === undefined) return BAD_DESCRIPTOR;
    if (found.kind === 'stream') {
      this.memory().slice(result, STATUS_BYTES).fill(0);
      this.memory().view.setUint8(result + 16, CHARACTER_DEVICE);
    } else this.setStatus(result, (found.kind === 'file' ? found.file : found.directory).status());
    return SUCCESS;
  }

  private setStatus(at: number, status: BigIntStats): void {
    const memory = this.memory();
    memory.setLong(at, BigInt.asUintN(64, status.dev));
    memory.setLong(at + 8, BigInt.asUintN(64, status.ino));
    memory.setLong(at + 16, BigInt(fileType(status)));
    memory.setLong(at + 24, status.nlink);
    memory.setLong(at + 32, status.size);
    memory.setLong(at + 40, BigInt.asUintN(64, status.atimeNs));
    memory.setLong(at + 48, BigInt.asUintN(64, status.mtimeNs));
    memory.setLong(at + 56, BigInt.asUintN(64, status.ctimeNs));
  }

  private seek(descriptor: number, offset: bigint, whence: number, result: number): number {
    const found = this.open.get(descriptor);
    if (found === undefined) return BAD_DESCRIPTOR;
    if (found.kind !== 'file' || found.file.type !== REGULAR_FILE) return NOT_SEEKABLE;
    const { file } = found;
    const from = [0n, file.position, whence === 2 ? file.status().size : 0n][whence];
    if (from === undefined || from + offset < 0n) return INVALID;
    file.position = from + offset;
    this.memory().setLong(result, file.position);
    return SUCCESS;
  }

  private read(descriptor: number, targets: readonly Uint8Array[], result: number, at?: bigint): number {
    const found = this.open.get(descriptor);
    if (found === undefined) return BAD_DESCRIPTOR;
    if (found.kind === 'directory') return IS_A_DIRECTORY;
    if (found.kind === 'stream' && at !== undefined) return NOT_SEEKABLE;
    let total = 0;
    for (const target of targets) {
      if (target.length === 0) continue;
      const place = at === undefined ? undefined : at + BigInt(total);
      const count = found.kind === 'file' ? found.file.read(target, place) : found.stream.read(target);
      total += count;
      // Less than asked for: the caller asks again for more.
      if (count < target.length) break;
    }
    this.memory().setNumber(result, total);
    return SUCCESS;
  }

  private write(descriptor: number, parts: readonly Uint8Array[], result: number): number {
    const found = this.open.get(descriptor);
    if (found?.kind !== 'stream') return BAD_DESCRIPTOR;
    // When the reader is gone, the next read says so.
    found.stream.write(parts);
    this.memory().setNumber(
      result,
      parts.reduce((sum, { length }) => sum + length, 0),
    );
    return SUCCESS;
  }

  private place(directory: unknown, path: unknown, count: unknown): string | undefined {
    const found = this.open.get(Number(directory));
    if (found?.kind !== 'directory') return undefined;
    return found.directory.within(this.memory().text(Number(path), Number(count)));
  }

  private openPath(path: string, flags: number, rights: bigint, result: number): number {
    const stream = this.streams.get(path);
    this.streams.delete(path);
    const opened = stream === undefined ? openForReading(path, flags, rights) : streamFile(stream);
    if (typeof opened === 'number') return opened;
    this.memory().setNumber(result, this.open.add(opened));
    return SUCCESS;
  }
}

function streamFile(stream: ByteStream): OpenFile {
  return { kind: 'stream', stream };
}

/** @returns the file, or why not */
function openForReading(path: string, flags: number, rights: bigint): OpenFile | number {
  if ((flags & (OPEN_CREATE | OPEN_TRUNCATE)) !== 0 || (rights & RIGHT_TO_WRITE) !== 0n) return READ_ONLY;
  if (statSync(path).isDirectory())
    return { kind: 'directory', directory: new Directory(path), isGiven: false };
  if ((flags & OPEN_DIRECTORY) !== 0) return NOT_A_DIRECTORY;
  return { kind: 'file', file: new RegularFile(path) };
}

function typeOf(file: OpenFile): number {
  switch (file.kind) {
    case 'stream':
      return CHARACTER_DEVICE;
    case 'directory':
      return DIRECTORY;
    case 'file':
      return file.file.type;
  }
}

/** As many as fit, the last of them perhaps cut off. @returns how many bytes were written */
function writeEntries(entries: readonly DirectoryEntry[], first: number, target: Uint8Array): number {
  let filled = 0;
  for (let index = first; index < entries.length && filled < target.length; index += 1) {
    const entry = entries[index];
    if (entry === undefined) break;
    const encoded = Buffer.alloc(ENTRY_BYTES + entry.name.length);
    encoded.writeBigUInt64LE(BigInt(index + 1), 0);
    encoded.writeUInt32LE(entry.name.length, 16);
    encoded.writeUInt8(entry.type, 20);
    encoded.set(entry.name, ENTRY_BYTES);
    const part = encoded.subarray(0, target.length - filled);
    target.set(part, filled);
    filled += part.length;
  }
  return filled;
}

const refuse = () => READ_ONLY;
const accept = () => SUCCESS;

const changingCalls: Calls = {
  fd_advise: accept,
  fd_datasync: accept,
  fd_fdstat_set_flags: accept,
  fd_filestat_set_size: refuse,
  fd_pwrite: refuse,
  fd_sync: accept,
  path_create_directory: refuse,
  path_filestat_set_times: refuse,
  path_link: refuse,
  path_remove_directory: refuse,
  path_rename: refuse,
  path_symlink: refuse,
  path_unlink_file: refuse,
};
