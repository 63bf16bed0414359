/** Failures of the file system as mistakes that users are told, in Ruby's words. */

import { fault } from '../pcore/index.ts';
import type { FileTree } from './file-tree.ts';

/**
 * The same files; what cannot be read (permissions, I/O) throws a `PuppetError` such as
 * `Permission denied @ rb_sysopen - /etc/puppetlabs/code/environments/production/manifests/site.pp`.
 */
export function readableFileTree(files: FileTree): FileTree {
  return {
    readBytes: (path) => told(() => files.readBytes(path), 'rb_sysopen', path),
    readText: (path) => told(() => files.readText(path), 'rb_sysopen', path),
    list: (path) => told(() => files.list(path), 'dir_initialize', path),
    kind: (path) => told(() => files.kind(path), 'rb_file_s_stat', path),
  };
}

/** @param call - what Ruby names as the place of the failure */
function told<T>(read: () => T, call: string, path: string): T {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? reasonOf(error) : undefined;
    if (reason === undefined) throw error;
    throw fault(`${reason} @ ${call} - ${path}`);
  }
}

/** As `strerror` says it; `undefined` for errors that are not of the file system. */
function reasonOf(error: NodeJS.ErrnoException): string | undefined {
  if (error.code === undefined || error.syscall === undefined) return undefined;
  return reasons.get(error.code) ?? error.code;
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'Permission denied'],
  ['EIO', 'Input/output error'],
  ['ELOOP', 'Too many levels of symbolic links'],
  ['EMFILE', 'Too many open files'],
  ['ENAMETOOLONG', 'File name too long'],
  ['ENFILE', 'Too many open files in system'],
  ['EPERM', 'Operation not permitted'],
]);
