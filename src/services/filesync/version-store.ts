/** Versions on disk: one directory for each commit, whole or not there; which of them are live after a restart. */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { removeUnfinishedFiles, writeFileAtomically } from '../../lib/atomic-file.ts';
import type { Logger } from '../../platform/log/index.ts';
import { parentOf, pathOf } from './byte-names.ts';
import { type CodeVersion, codeIdOf } from './code-versions.ts';
import type { CommitDetails } from './commit-details.ts';
import { isCorruption } from './failures.ts';
import type { CheckedOutTree, Repository } from './repository.ts';

const run = promisify(execFile);

const SavedWire = z.object({
  live: z.array(
    z.object({
      environment: z.string().regex(/^\w+$/),
      commit: z.string().regex(/^[0-9a-f]{40}$/),
      place: z.string(),
      shared: z.string().optional(),
      emptyDirectories: z.array(z.string()),
      sharedEmptyDirectories: z.array(z.string()),
      dateMs: z.number(),
      message: z.string(),
      author: z.object({ name: z.string(), email: z.string() }),
    }),
  ),
});

/** What a new tree begins with. */
interface Base extends CheckedOutTree {
  readonly emptyDirectories: readonly string[];
  /** It is not needed any more: it becomes the new tree itself. */
  readonly isSpare: boolean;
}

interface Aside extends CheckedOutTree {
  readonly emptyDirectories: readonly string[];
  /** What it was one of: `versions/production`. */
  readonly group: string;
}

/** A tree with everything that belongs to it. */
interface WantedTree {
  readonly tree: string | undefined;
  readonly emptyDirectories: readonly string[];
  /** Below the store's directory. */
  readonly name: string;
}

export class VersionStore {
  private readonly directory: string;
  private readonly repository: Repository;
  private readonly log: Logger;
  /** Names of trees that are known to be whole, and which directories are empty in them. */
  private readonly whole = new Map<string, readonly string[]>();
  /** The last that was pruned, by group. */
  private readonly spares = new Map<string, Base>();
  /** Trees that are being checked out: two environments may share one. */
  private readonly underway = new Map<string, Promise<void>>();

  constructor(directory: string, repository: Repository, log: Logger) {
    this.directory = directory;
    this.repository = repository;
    this.log = log;
  }

  /** The versions that were live and are whole. Others may be incomplete: `prune` removes them. */
  async restore(): Promise<readonly CodeVersion[]> {
    const text = await readFile(this.livePath(), 'utf8').catch(() => '{}');
    const saved = SavedWire.safeParse(parseJson(text));
    if (!saved.success) return [];
    const versions: CodeVersion[] = [];
    for (const { environment, commit, shared, sharedEmptyDirectories, ...details } of saved.data.live) {
      const version = this.version(environment, { ...details, commit, shared, sharedEmptyDirectories });
      const places = [
        version.directory,
        ...(version.sharedDirectory === undefined ? [] : [version.sharedDirectory]),
      ];
      const isThere = await Promise.all(
        places.map((path) =>
          stat(path).then(
            () => true,
            () => false,
          ),
        ),
      );
      if (isThere.includes(false)) continue;
      this.whole.set(nameOf(environment, commit), details.emptyDirectories);
      if (shared !== undefined) this.whole.set(sharedNameOf(shared), sharedEmptyDirectories);
      versions.push(version);
    }
    return versions;
  }

  /** Whatever lies there is not what it should be: it is written again when somebody wants it. */
  distrust({ commit, environment }: CodeVersion): void {
    this.whole.delete(nameOf(environment, commit));
  }

  /**
   * Makes sure that a version's files are here.
   *
   * @param base - a version that is here and has files in common with it
   */
  async checkOut(
    environment: string,
    details: CommitDetails,
    base: CodeVersion | undefined,
  ): Promise<CodeVersion> {
    const { author, code, dateMs, id, layout, message, shared } = details;
    const { emptyDirectories, sharedEmptyDirectories } = layout;
    await this.ensure(
      { tree: code, emptyDirectories, name: nameOf(environment, id) },
      base === undefined ? undefined : nameOf(base.environment, base.commit),
    );
    if (shared !== undefined)
      await this.ensure(
        { tree: shared, emptyDirectories: sharedEmptyDirectories, name: sharedNameOf(shared) },
        base?.sharedTree === undefined ? undefined : sharedNameOf(base.sharedTree),
      );
    return this.version(environment, {
      commit: id,
      place: layout.directory,
      shared,
      emptyDirectories: [...emptyDirectories],
      sharedEmptyDirectories: [...sharedEmptyDirectories],
      dateMs,
      message,
      author,
    });
  }

  /** Sets aside what is not in use. @returns where it is now, to be removed without hurry */
  async prune(isInUse: (directory: string) => boolean): Promise<readonly string[]> {
    const unused: string[] = [];
    const usedGroups = new Set<string>();
    const versions = join(this.directory, 'versions');
    for (const environment of await readdir(versions).catch(() => [])) {
      const names = await readdir(join(versions, environment));
      for (const commit of names)
        if (isInUse(join(versions, environment, commit))) usedGroups.add(join('versions', environment));
        else unused.push(nameOf(environment, commit));
      if (names.length === 0) await rmdir(join(versions, environment)).catch(() => {}); // another version has come
    }
    for (const tree of await readdir(join(this.directory, 'shared')).catch(() => []))
      if (!isInUse(join(this.directory, 'shared', tree))) unused.push(sharedNameOf(tree));
    const removed: string[] = [];
    for (const [group, { directory }] of this.spares) {
      if (usedGroups.has(group)) continue;
      this.spares.delete(group);
      removed.push(dirname(directory));
    }
    for (const aside of await this.setAside(unused)) {
      const isSpare = usedGroups.has(aside.group) && !this.spares.has(aside.group);
      if (isSpare) this.spares.set(aside.group, { ...aside, isSpare });
      else removed.push(dirname(aside.directory));
    }
    return removed;
  }

  /** Removes what `prune` has set aside. */
  async remove(directories: readonly string[]): Promise<void> {
    await removeTrees(directories);
  }

  /** Removes what interrupted work has left, and what is kept to begin with; nothing may be under way. */
  async removePartial(): Promise<void> {
    this.spares.clear();
    await removeTrees([join(this.directory, 'partial')]);
    await removeUnfinishedFiles(this.directory);
  }

  /** Writes down which versions are live, once their files are on the disk for good. */
  async save(live: readonly CodeVersion[]): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    await run('sync', ['--file-system', this.directory]).catch((err: unknown) =>
      this.log.warn({ err }, 'could not wait until code is on the disk'),
    );
    const saved = live.map((version) => ({
      environment: version.environment,
      commit: version.commit,
      place: version.place,
      shared: version.sharedTree,
      emptyDirectories: this.whole.get(nameOf(version.environment, version.commit)) ?? [],
      sharedEmptyDirectories: this.whole.get(sharedNameOf(version.sharedTree ?? '')) ?? [],
      dateMs: version.dateMs,
      message: version.message,
      author: version.author,
    }));
    await writeFileAtomically(this.livePath(), JSON.stringify({ live: saved }));
  }

  private async ensure(wanted: WantedTree, baseName: string | undefined): Promise<void> {
    if (this.whole.has(wanted.name)) return;
    const underway = this.underway.get(wanted.name) ?? this.make(wanted, baseName);
    this.underway.set(wanted.name, underway);
    try {
      await underway;
    } finally {
      this.underway.delete(wanted.name);
    }
  }

  private async make(wanted: WantedTree, baseName: string | undefined): Promise<void> {
    const base = this.baseFor(wanted.name, baseName);
    try {
      await this.makeFrom(wanted, base);
    } catch (error) {
      if (base === undefined || !isCorruption(error)) throw error;
      this.log.warn({ err: error }, 'could not begin with the version before, writing all files');
      await this.makeFrom(wanted, undefined);
    }
  }

  /** What was pruned is the best to begin with: it need not be copied. */
  private baseFor(name: string, baseName: string | undefined): Base | undefined {
    const group = dirname(name);
    const spare = this.spares.get(group);
    this.spares.delete(group);
    if (spare !== undefined) return spare;
    const emptyDirectories = baseName === undefined ? undefined : this.whole.get(baseName);
    if (baseName === undefined || emptyDirectories === undefined) return undefined;
    return { ...this.placeOf(baseName), emptyDirectories, isSpare: false };
  }

  private async makeFrom(wanted: WantedTree, base: Base | undefined): Promise<void> {
    const target = await this.newPartial();
    try {
      await this.repository.checkOut(wanted.tree, target, base);
      await shapeDirectories(target.directory, wanted.emptyDirectories, base?.emptyDirectories ?? []);
      await this.moveIntoPlace(wanted.name, target);
      this.whole.set(wanted.name, wanted.emptyDirectories);
      await rmdir(dirname(target.directory));
    } catch (error) {
      await removeTrees([dirname(target.directory)]);
      throw error;
    } finally {
      if (base?.isSpare === true) await removeTrees([dirname(base.directory)]);
    }
  }

  private async moveIntoPlace(name: string, target: CheckedOutTree): Promise<void> {
    const place = this.placeOf(name);
    await mkdir(dirname(place.directory), { recursive: true });
    await mkdir(dirname(place.index), { recursive: true });
    // Left by a process that did not live to vouch for it.
    for (const aside of await this.setAside([name])) await removeTrees([dirname(aside.directory)]);
    await rename(target.index, place.index);
    await rename(target.directory, place.directory);
  }

  private async newPartial(): Promise<CheckedOutTree> {
    const partial = join(this.directory, 'partial', randomBytes(8).toString('hex'));
    await mkdir(partial, { recursive: true });
    return { directory: join(partial, 'tree'), index: join(partial, 'index') };
  }

  private async setAside(names: readonly string[]): Promise<Aside[]> {
    const aside: Aside[] = [];
    for (const name of names) {
      const emptyDirectories = this.whole.get(name) ?? [];
      this.whole.delete(name);
      const place = this.placeOf(name);
      if (!existsSync(place.directory)) continue;
      const { directory, index } = await this.newPartial();
      await rename(place.directory, directory);
      await rename(place.index, index).catch(() => {}); // it may have been lost: then all files are written
      aside.push({ directory, index, emptyDirectories, group: dirname(name) });
    }
    return aside;
  }

  private placeOf(name: string): CheckedOutTree {
    return { directory: join(this.directory, name), index: join(this.directory, 'indexes', name) };
  }

  private version(environment: string, saved: Omit<SavedVersion, 'environment'>): CodeVersion {
    const { author, commit, dateMs, message, place, shared } = saved;
    return {
      environment,
      commit,
      codeId: codeIdOf(environment, commit),
      directory: join(this.directory, nameOf(environment, commit)),
      place,
      dateMs,
      message,
      author,
      ...(shared === undefined
        ? {}
        : { sharedTree: shared, sharedDirectory: join(this.directory, sharedNameOf(shared)) }),
    };
  }

  private livePath(): string {
    return join(this.directory, 'live.json');
  }
}

/** git knows of no empty directories. */
async function shapeDirectories(
  directory: string,
  wanted: readonly string[],
  present: readonly string[],
): Promise<void> {
  const empty = new Set(wanted);
  for (const name of present)
    for (let path = name; path !== '' && !empty.has(path); path = parentOf(path))
      // Not when something is in it by now, or when it has gone with what it was in.
      await rmdir(pathOf(directory, path)).catch(() => {});
  for (const name of wanted) await mkdir(pathOf(directory, name), { recursive: true });
}

type SavedVersion = z.infer<typeof SavedWire>['live'][number];

function nameOf(environment: string, commit: string): string {
  return join('versions', environment, commit);
}

function sharedNameOf(tree: string): string {
  return join('shared', tree);
}

/** Many files at once are not this process's work. */
async function removeTrees(paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await run('rm', ['-rf', '--', ...paths]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // damaged: as if there were nothing
  }
}
