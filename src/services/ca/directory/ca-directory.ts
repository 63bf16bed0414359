/** The files of a certificate authority, where Puppet Server has them. */

import { lchown, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AtomicFile, syncDirectory, writeFileAtomically } from '../../../lib/atomic-file.ts';
import { makeDirectory } from '../../../lib/make-directory.ts';

export interface StoredFile {
  readonly content: string;
  readonly modifiedAt: Date;
}

/** `signed` holds certificates, `requests` what waits for a signature. */
export type NamedKind = 'signed' | 'requests';

export const publicMode = 0o644;
export const privateMode = 0o600;

export class CaDirectory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get certificates(): string {
    return join(this.path, 'ca_crt.pem');
  }

  get privateKey(): string {
    return join(this.path, 'ca_key.pem');
  }

  get publicKey(): string {
    return join(this.path, 'ca_pub.pem');
  }

  get rootKey(): string {
    return join(this.path, 'root_key.pem');
  }

  get revocationLists(): string {
    return join(this.path, 'ca_crl.pem');
  }

  get infraRevocationLists(): string {
    return join(this.path, 'infra_crl.pem');
  }

  get infraInventory(): string {
    return join(this.path, 'infra_inventory.txt');
  }

  get infraSerials(): string {
    return join(this.path, 'infra_serials');
  }

  get inventory(): string {
    return join(this.path, 'inventory.txt');
  }

  get serial(): string {
    return join(this.path, 'serial');
  }

  get lock(): string {
    return join(this.path, 'bunraku.lock');
  }

  /** Where the requests came from. */
  get requestOrigins(): string {
    return join(this.path, 'bunraku.requests');
  }

  /** There while a new authority is being written. */
  get setupMarker(): string {
    return join(this.path, 'bunraku.setup');
  }

  /** Makes the directory, those below it, and the file to lock, all of them the directory's owner's. */
  async prepare(): Promise<void> {
    await makeDirectory(this.path, 0o755);
    const { uid, gid } = await stat(this.path);
    const below = [join(this.path, 'signed'), join(this.path, 'requests'), this.requestOrigins];
    for (const directory of below) await makeDirectory(directory, 0o755);
    await createIfMissing(this.lock);
    // Administrators work as root in a directory that the server must go on writing to; its owner may have put links there.
    if (process.getuid?.() !== 0) return;
    for (const path of [...below, this.lock]) await lchown(path, uid, gid);
  }

  /** Removes what writers that were killed have left half written. Only while no other process writes. */
  async removeLeftovers(): Promise<void> {
    for (const directory of [this.path, join(this.path, 'signed'), join(this.path, 'requests')]) {
      const files = await readdir(directory).catch(emptyWhenMissing);
      const leftovers = files.filter((file) => /\.[0-9a-f]{12}\.tmp$/.test(file));
      await Promise.all(leftovers.map((file) => rm(join(directory, file), { force: true })));
    }
  }

  /** The certificate or request of a node, or `undefined`, also when the name cannot be one. */
  async find(kind: NamedKind, certname: string): Promise<StoredFile | undefined> {
    return isFileName(certname) ? findFile(this.named(kind, certname)) : undefined;
  }

  async write(kind: NamedKind, certname: string, pem: string): Promise<void> {
    await writeFileAtomically(this.named(kind, certname), pem, publicMode);
  }

  /** What `writeFilesAtomically` takes to write one. */
  fileFor(kind: NamedKind, certname: string, content: string): AtomicFile {
    return { path: this.named(kind, certname), content, mode: publicMode };
  }

  /** @returns whether there was one */
  async remove(kind: NamedKind, certname: string): Promise<boolean> {
    if (!isFileName(certname)) return false;
    const path = this.named(kind, certname);
    try {
      await rm(path);
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    await syncDirectory(dirname(path));
    return true;
  }

  /** The certnames of one kind, sorted. */
  async list(kind: NamedKind): Promise<string[]> {
    const files = await readdir(join(this.path, kind)).catch(emptyWhenMissing);
    return files.flatMap((file) => (file.endsWith('.pem') ? [file.slice(0, -4)] : [])).sort();
  }

  private named(kind: NamedKind, certname: string): string {
    if (!isFileName(certname)) throw new Error(`'${certname}' cannot be the name of a certificate`);
    return join(this.path, kind, `${certname}.pem`);
  }
}

/** A process that opens and closes a file loses its locks on it, so an existing file is left alone. */
async function createIfMissing(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', privateMode)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A file with the time of its last change, or `undefined` when there is none. */
export async function findFile(path: string): Promise<StoredFile | undefined> {
  try {
    const content = await readFile(path, 'utf8');
    const { mtime } = await stat(path);
    return { content, modifiedAt: mtime };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Printable ASCII without a slash, which is what Puppet ever allowed, and nothing that means a directory. */
function isFileName(certname: string): boolean {
  return /^[ -.0-~]{1,250}$/.test(certname) && !certname.startsWith('.');
}

function emptyWhenMissing(error: unknown): string[] {
  if (isMissing(error)) return [];
  throw error;
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG';
}
