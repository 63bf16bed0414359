/** Unpacks `.tar.gz` archives: nothing outside of the directory, no links, not more than fits. */

import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { withoutTrailingSlashes } from '../../../lib/trailing-slashes.ts';
import { DeployError } from '../deploy-error.ts';

export interface Unpacked {
  /** Names of files and directories, relative. */
  readonly paths: readonly string[];
  /** Names of links, devices and the like, which are left out. */
  readonly skipped: readonly string[];
}

const mostBytes = 4 * 1024 * 1024 * 1024;
const mostEntries = 500_000;

/**
 * @param directory - new or empty
 * @throws DeployError for invalid archives, and for names that lead out of the directory
 */
export async function unpack(archive: string, directory: string, signal: AbortSignal): Promise<Unpacked> {
  await mkdir(directory, { recursive: true });
  const tar = extract();
  // Nothing may be awaited between here and the loop: entries without a reader are lost.
  const packed = createReadStream(archive);
  const feeding = pipeline(packed, createGunzip(), tar, { signal });
  // Failures are reported below, where the entries are read.
  feeding.catch(() => {});
  const paths: string[] = [];
  const skipped: string[] = [];
  let bytes = 0;
  try {
    for await (const entry of tar) {
      const { name, mode, size, type } = entry.header;
      const path = checkedPath(name, directory);
      bytes += size ?? 0;
      if (bytes > mostBytes || paths.length > mostEntries)
        throw new DeployError(`${archive} unpacks to more than 4 GiB or 500,000 files`);
      if (path !== '' && type === 'directory') await mkdir(join(directory, path), { recursive: true });
      else if (path !== '' && (type === 'file' || type === 'contiguous-file'))
        await writeEntry(entry as unknown as Readable, join(directory, path), mode ?? 0o644);
      else if (path !== '') skipped.push(name);
      if (path !== '' && skipped.at(-1) !== name) paths.push(path);
      entry.resume();
    }
    await feeding;
  } catch (error) {
    if (error instanceof DeployError || signal.aborted) throw error;
    throw new DeployError(
      `Could not extract contents of module archive: ${archive}: ${(error as Error).message}`,
      error,
    );
  } finally {
    packed.destroy();
    tar.destroy();
  }
  return { paths, skipped };
}

function checkedPath(name: string, directory: string): string {
  const path = withoutTrailingSlashes(normalize(name));
  if (path === '.') return '';
  if (!path.startsWith('/') && path !== '..' && !path.startsWith('../') && !path.includes('\0')) return path;
  throw new DeployError(
    `Could not install package: Package attempted to install file into ${JSON.stringify(name)} under ${JSON.stringify(directory)}.`,
  );
}

/** Executable or not is all that an archive decides, as with Puppet's module tool (`sanitized_mode`). */
async function writeEntry(content: Readable, path: string, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // No link can be in the way: none is ever made here.
  await pipeline(content, createWriteStream(path, { flags: 'w', mode: 0o600 }));
  await chmod(path, (mode & 0o100) === 0 ? 0o644 : 0o755);
}
