/** What is left of a damaged repository: whole commits are brought into a new one. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../../platform/git/index.ts';
import { isDiskFull } from './failures.ts';
import { Repository } from './repository.ts';

/** After so many packs that could not be made, and after so long, the rest is given up: others wait for current commits. */
const manyFailures = 30;
const longestMs = 5 * 60 * 1000;

/**
 * Brings commits from a repository that is damaged, so far as they are whole there.
 *
 * @param damaged - its directory; nothing but its objects is used
 * @param commits - those first that matter most
 * @returns those that are in the other repository now, whole
 */
export async function salvage(
  git: Git,
  damaged: string,
  into: Repository,
  commits: readonly string[],
): Promise<ReadonlySet<string>> {
  const directory = `${damaged}.objects`;
  // A repository without faults of its own in what is around objects: references, HEAD, configuration.
  const source = new Repository(git, directory);
  await rm(directory, { recursive: true, force: true });
  try {
    await source.open();
    await mkdir(join(directory, 'objects', 'info'), { recursive: true });
    await writeFile(join(directory, 'objects', 'info', 'alternates'), `${join(damaged, 'objects')}\n`);
    const there = await source.details(commits).catch(() => undefined);
    return await bringAll(
      source,
      into,
      there === undefined ? commits : commits.filter((id) => there.has(id)),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** All at once, then in halves if they do not arrive as a whole. @returns those that arrived */
async function bringAll(
  source: Repository,
  into: Repository,
  commits: readonly string[],
): Promise<ReadonlySet<string>> {
  const signal = AbortSignal.timeout(longestMs);
  const saved = new Set<string>();
  const waiting = commits.length === 0 ? [] : [commits];
  let failures = 0;
  for (let some = waiting.pop(); some !== undefined && !signal.aborted; some = waiting.pop()) {
    const outcome = await bring(source, into, some, signal);
    if (outcome === 'arrived') {
      for (const id of some) saved.add(id);
      continue;
    }
    failures += 1;
    if (outcome === 'no room' || failures === manyFailures) break;
    const half = Math.ceil(some.length / 2);
    // What matters most is taken from the end next.
    if (some.length > 1) waiting.push(some.slice(half), some.slice(0, half));
  }
  return saved;
}

/** Without room for them there may be for what matters more: the caller goes on without. */
async function bring(
  source: Repository,
  into: Repository,
  commits: readonly string[],
  signal: AbortSignal,
): Promise<'arrived' | 'damaged' | 'no room'> {
  const pack = source.pack(commits, [], signal);
  pack.stderr.resume();
  try {
    await into.receive(pack.stdout, commits, signal);
    return (await into.isComplete(commits)) ? 'arrived' : 'damaged';
  } catch (error) {
    return isDiskFull(error) ? 'no room' : 'damaged';
  } finally {
    pack.kill();
  }
}
