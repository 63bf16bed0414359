/** Looks at one file the way a request asks for: the link itself, or what it leads to. */

import type { BigIntStats } from 'node:fs';
import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Boundary } from './boundary.ts';

/** What is done with symbolic links: reported as links, or followed. */
export type Links = 'manage' | 'follow';

export interface Examined {
  /** The path with all links resolved, save the last one when links are managed. */
  readonly real: string;
  readonly stat: BigIntStats;
}

/** @returns `undefined` when there is nothing, it may not be read, or it lies outside the boundary */
export async function examine(path: string, links: Links, boundary: Boundary): Promise<Examined | undefined> {
  return await orMissing(async () => {
    const real = links === 'follow' ? await realpath(path) : await realParent(path);
    if (!(await boundary.contains(real))) return undefined;
    return { real, stat: await (links === 'follow' ? stat : lstat)(real, { bigint: true }) };
  });
}

/** Like `examine`, for a path whose parent is known to be real and inside the boundary. */
export async function examineChild(
  realPath: string,
  isLink: boolean,
  links: Links,
  boundary: Boundary,
): Promise<Examined | undefined> {
  if (isLink && links === 'follow') return await examine(realPath, links, boundary);
  return await orMissing(async () => ({ real: realPath, stat: await lstat(realPath, { bigint: true }) }));
}

/** What a link says, as it stands. */
export async function destinationOf(link: Examined): Promise<string> {
  return await readlink(link.real);
}

async function realParent(path: string): Promise<string> {
  const clean = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return join(await realpath(dirname(clean)), basename(clean));
}

/** Errors that say that a path leads nowhere, for whatever reason. */
const missing: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'ELOOP',
  'ENAMETOOLONG',
  'ERR_INVALID_ARG_VALUE', // a NUL in the path
]);

export async function orMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Error && 'code' in error && missing.has(error.code)) return undefined;
    throw error;
  }
}
