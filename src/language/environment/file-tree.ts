/** The language's only view of files: one code version, read-only and unchanging while it is held. */

export interface FileTreeEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory';
}

/**
 * The files of one version of one environment, with the module directories outside it.
 *
 * Paths are absolute and *logical*: those that users know and that end up in catalogs and messages
 * (`/etc/puppetlabs/code/environments/production/manifests/site.pp`), wherever the version really lies.
 * Calls are synchronous, because compiles run in worker threads; links are followed.
 * Missing files are `undefined`; any other failure (permissions, I/O) throws.
 */
export interface FileTree {
  readBytes(path: string): Uint8Array | undefined;
  /** UTF-8, a leading byte order mark removed. */
  readText(path: string): string | undefined;
  /** Sorted by name; `undefined` when there is no such directory. */
  list(path: string): readonly FileTreeEntry[] | undefined;
  kind(path: string): 'file' | 'directory' | undefined;
}
