/** A bare copy of a remote repository: shared by all environments, fetched only when something is not there. */

import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SerialQueue } from '../../../lib/serial-queue.ts';
import { SingleFlight } from '../../../lib/single-flight.ts';
import { type Git, GitError, type GitOptions, runNetworkCommand } from '../../../platform/git/index.ts';
import { CacheDamaged, DeployError } from '../deploy-error.ts';
import { withoutCredentials } from './git-access.ts';

export interface GitCacheOptions {
  readonly git: Git;
  /** The bare repository. */
  readonly directory: string;
  readonly remote: string;
  /** Keys, tokens and proxies, for commands that talk to the remote. */
  readonly access: () => Promise<Readonly<Record<string, string>>>;
  readonly idleTimeoutMs: number;
  /** What commands of an operator get as their environment. */
  readonly commandEnvironment: Readonly<Record<string, string | undefined>>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const usualRefs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
/** Merge requests and the like. */
const allRefs = ['+refs/*:refs/*'];
const heads = 'refs/heads/';
const tags = 'refs/tags/';
const mostPacks = 40;
const mostReducedTrees = 10_000;
/** What is here can be fetched again: waiting for the disk would only cost time. */
const unsynced = ['-c', 'core.fsync=none'];
const refFormat = '%(objecttype) %(objectname) %(*objecttype) %(*objectname) %(refname)';
/** `$1` repository, `$2` remote, then what to fetch. Prints the references that are there afterwards. */
const fetchScript = `
repository=$1; shift
git -c core.fsync=none --git-dir="$repository" fetch --progress --prune --no-tags --no-write-fetch-head \\
  --no-recurse-submodules --no-auto-maintenance --force --update-head-ok -- "$@" >&2 &&
  exec git --git-dir="$repository" for-each-ref '--format=${refFormat}'
`;

export class GitCache {
  readonly directory: string;
  readonly remote: string;
  readonly commandEnvironment: Readonly<Record<string, string | undefined>>;
  private readonly options: GitCacheOptions;
  private readonly queue = new SerialQueue();
  /** Commits by reference, as they were after the last fetch; read when they are asked for. */
  private refs: Promise<ReadonlyMap<string, string>> | undefined;
  /** Whether the last fetch brought something: then the next one is likely to, as well. */
  private hadNews = false;
  /** Commits that are known to be here. */
  private readonly commits = new Set<string>();
  /** Trees without one of their directories, by commit and directory. */
  private readonly reducedTrees = new Map<string, string>();
  /** The last fetch of the usual references: when it began and what became of it. */
  private last: { readonly beganMs: number; readonly fetch: SingleFlight<void> } | undefined;

  constructor(options: GitCacheOptions) {
    this.options = options;
    this.directory = options.directory;
    this.remote = options.remote;
    this.commandEnvironment = options.commandEnvironment;
  }

  /**
   * Sees to it that what the remote had at `sinceMs` is here; one fetch serves all who ask for the same time.
   *
   * @throws DeployError when the remote can't be had
   */
  refresh(sinceMs: number, signal: AbortSignal): Promise<void> {
    const { last } = this;
    if (last !== undefined && last.beganMs >= sinceMs && !last.fetch.isAbandoned)
      return last.fetch.join(signal);
    const beganMs = this.options.now();
    const fetch = new SingleFlight((shared) => this.fetch(usualRefs, shared));
    this.last = { beganMs, fetch };
    return fetch.join(signal);
  }

  /**
   * The commit that a reference means. Commits and tags that are here are not asked for again.
   *
   * @param sinceMs - branches must be at least as new as this
   * @returns `undefined` when the remote has no such reference
   * @throws DeployError when the remote can't be had
   */
  async resolve(ref: string, sinceMs: number, signal: AbortSignal): Promise<string | undefined> {
    if (ref.startsWith('-') || ref === '') return undefined;
    if (ref === 'HEAD') await this.followHead(sinceMs, signal);
    else {
      const pinned = await this.pinnedCommit(ref);
      if (pinned !== undefined) return pinned;
      await this.refresh(sinceMs, signal);
    }
    const found = await this.find(ref);
    if (found !== undefined || !mayBeElsewhere(ref)) return found;
    await this.fetch(allRefs, signal);
    return await this.find(ref);
  }

  /** The commit of a branch, as it was fetched last. */
  async branchHead(branch: string): Promise<string | undefined> {
    return (await this.knownRefs()).get(`${heads}${branch}`);
  }

  async branches(): Promise<readonly string[]> {
    const names = [...(await this.knownRefs()).keys()];
    return names.filter((name) => name.startsWith(heads)).map((name) => name.slice(heads.length));
  }

  /** Whether a reference means a commit or a tag that is here: it need not be asked for. */
  async isPinned(ref: string): Promise<boolean> {
    return (await this.pinnedCommit(ref)) !== undefined;
  }

  /** What can't change any more: a commit or a tag that is here. */
  private async pinnedCommit(ref: string): Promise<string | undefined> {
    if (this.commits.has(ref)) return ref;
    if (/^[0-9a-f]{5,64}$/i.test(ref)) {
      const commit = await this.parse(`${ref}^{commit}`);
      if (commit === ref) this.commits.add(ref);
      if (commit !== undefined) return commit;
    }
    return (await this.knownRefs()).get(`${tags}${ref}`);
  }

  /** As git finds what a name means: whole names, then tags, then branches, then anything else. */
  private async find(ref: string): Promise<string | undefined> {
    const refs = await this.knownRefs();
    const known = [ref, `refs/${ref}`, `${tags}${ref}`, `${heads}${ref}`].map((name) => refs.get(name));
    return known.find((commit) => commit !== undefined) ?? (await this.parse(`${ref}^{commit}`));
  }

  /** One command for all of them, once after each fetch. */
  private knownRefs(): Promise<ReadonlyMap<string, string>> {
    this.refs ??= this.readRefs().catch((error: unknown) => {
      this.refs = undefined;
      throw error;
    });
    return this.refs;
  }

  private async readRefs(): Promise<ReadonlyMap<string, string>> {
    if (!this.exists()) return new Map();
    return parseRefs(await this.text(['for-each-ref', `--format=${refFormat}`]));
  }

  /** The names of everything in a commit, directories included, relative to its root. */
  async trackedPaths(commit: string): Promise<readonly string[]> {
    const text = await this.text(['ls-tree', '-r', '-t', '-z', '--name-only', commit]);
    return text.split('\0').filter((path) => path !== '');
  }

  /** The tree of a commit, without one of its top-level directories. */
  async treeWithout(commit: string, name: string): Promise<string> {
    const key = `${commit} ${name}`;
    const known = this.reducedTrees.get(key);
    if (known !== undefined) return known;
    const tree = await this.makeTreeWithout(commit, name);
    if (this.reducedTrees.size >= mostReducedTrees) this.reducedTrees.clear();
    this.reducedTrees.set(key, tree);
    return tree;
  }

  private async makeTreeWithout(commit: string, name: string): Promise<string> {
    const entries = (await this.text(['ls-tree', '-z', commit])).split('\0').filter((entry) => entry !== '');
    const kept = entries.filter((entry) => !(entry.endsWith(`\t${name}`) && entry.split(' ')[1] === 'tree'));
    if (kept.length === entries.length) return await this.text(['rev-parse', `${commit}^{tree}`]);
    const input = kept.map((entry) => `${entry}\0`).join('');
    return await this.local([...unsynced, ...this.place(), 'mktree', '-z'], { input });
  }

  /**
   * Makes a directory what a commit or tree says. Files that are as they should be are not touched, and those that
   * git does not know of stay.
   *
   * @param index - where git keeps what it knows of the directory, for the next time
   */
  async checkOut(tree: string, directory: string, index: string, signal: AbortSignal): Promise<void> {
    await mkdir(directory, { recursive: true });
    // Only one deploy of an environment runs at a time: what holds this lock is no more.
    await rm(`${index}.lock`, { force: true });
    try {
      await this.local(
        [...unsynced, ...this.place(), `--work-tree=${directory}`, 'read-tree', '--reset', '-u', tree],
        { environment: { GIT_INDEX_FILE: index }, signal, timeoutMs: 600_000 },
      );
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof GitError) throw new DeployError(error.message, error);
      throw error;
    }
  }

  /** Nothing here is worth more than the time that it takes to fetch it again. */
  private async discard(): Promise<void> {
    this.last = undefined;
    this.refs = undefined;
    this.commits.clear();
    this.reducedTrees.clear();
    await rm(this.directory, { recursive: true, force: true });
  }

  private async followHead(sinceMs: number, signal: AbortSignal): Promise<void> {
    await this.refresh(sinceMs, signal);
    const text = await this.network(['ls-remote', '--symref', '--', this.remote, 'HEAD'], signal);
    const target = /^ref: (refs\/heads\/\S+)\tHEAD$/m.exec(text)?.[1];
    if (target !== undefined) await this.text(['symbolic-ref', 'HEAD', target]);
  }

  private fetch(refs: readonly string[], signal: AbortSignal): Promise<void> {
    return this.queue.run(async () => {
      try {
        await this.fetchOnce(refs, signal);
      } catch (error) {
        if (!(error instanceof GitError) || !isDamage(error.message)) throw this.explain(error);
        await this.discard();
        await this.fetchOnce(refs, signal).catch((again: unknown) => {
          throw this.explain(again);
        });
      }
    });
  }

  private async fetchOnce(refs: readonly string[], signal: AbortSignal): Promise<void> {
    await this.ensure();
    const before = await this.refs;
    if (before !== undefined && refs === usualRefs && !this.hadNews && (await this.isAsIn(before, signal)))
      return;
    this.refs = undefined;
    const text = await this.network([this.directory, this.remote, ...refs], signal, fetchScript);
    const found = parseRefs(text);
    this.hadNews = before !== undefined && !isSame(before, found);
    this.refs = Promise.resolve(found);
    await this.tidy();
  }

  /** Asks the remote for its references alone: a quarter of the processes of a fetch, for what mostly has no news. */
  private async isAsIn(known: ReadonlyMap<string, string>, signal: AbortSignal): Promise<boolean> {
    const args = ['ls-remote', '--', this.remote, `${heads}*`, `${tags}*`];
    const remote = parseRemoteRefs(await this.network(args, signal));
    const usual = [...known].filter(([name]) => name.startsWith(heads) || name.startsWith(tags));
    return isSame(new Map(usual), remote);
  }

  private async ensure(): Promise<void> {
    if (this.exists()) return;
    await mkdir(this.directory, { recursive: true });
    await this.options.git.run(['init', '--quiet', '--bare', '--initial-branch=main', this.directory]);
  }

  private exists(): boolean {
    return existsSync(join(this.directory, 'HEAD'));
  }

  /** Each fetch leaves a pack; many of them make everything slow. */
  private async tidy(): Promise<void> {
    const names = await readdir(join(this.directory, 'objects', 'pack'));
    if (names.filter((name) => name.endsWith('.pack')).length < mostPacks) return;
    await this.local([...unsynced, ...this.place(), 'gc', '--quiet'], { timeoutMs: 600_000 });
    this.reducedTrees.clear(); // nothing refers to them
  }

  private async network(args: readonly string[], signal: AbortSignal, script?: string): Promise<string> {
    const { git, idleTimeoutMs, access } = this.options;
    const command = { args, environment: await access(), idleTimeoutMs, signal };
    return await runNetworkCommand(git, script === undefined ? command : { ...command, script });
  }

  private explain(error: unknown): unknown {
    if (!(error instanceof GitError)) return error;
    const remote = withoutCredentials(this.remote);
    return new DeployError(`Unable to fetch ${remote}: ${withoutCredentials(error.message)}`, error);
  }

  private async parse(expression: string): Promise<string | undefined> {
    if (!this.exists()) return undefined;
    const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', expression];
    return await this.text(args).catch((error: unknown) => {
      if (error instanceof GitError && error.exitCode !== undefined) return undefined;
      throw error;
    });
  }

  private text(args: readonly string[]): Promise<string> {
    return this.local([...this.place(), ...args]);
  }

  /** @throws CacheDamaged when the repository could not be read; it is gone then */
  private async local(args: readonly string[], options: GitOptions = {}): Promise<string> {
    try {
      return await this.options.git.text(args, options);
    } catch (error) {
      if (!(error instanceof GitError) || !isDamage(error.message)) throw error;
      await this.discard();
      throw new CacheDamaged(`The cache of ${withoutCredentials(this.remote)} was damaged`, error);
    }
  }

  private place(): readonly string[] {
    return [`--git-dir=${this.directory}`];
  }
}

function parseRefs(text: string): ReadonlyMap<string, string> {
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [type, id = '', tagged, taggedId = '', name = ''] = line.split(' ');
    if (type === 'commit') refs.set(name, id);
    else if (tagged === 'commit') refs.set(name, taggedId);
  }
  return refs;
}

/** As `ls-remote` prints them: an annotated tag, and in a line of its own with `^{}` what it means. */
function parseRemoteRefs(text: string): ReadonlyMap<string, string> {
  const refs = new Map<string, string>();
  for (const [, id = '', name = ''] of text.matchAll(/^([0-9a-f]+)\t(.+?)(?:\^\{\})?$/gm)) refs.set(name, id);
  return refs;
}

function isSame(some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): boolean {
  return some.size === others.size && [...some].every(([name, id]) => others.get(name) === id);
}

/** Whole names of references, and commits that no branch has: of merge requests, for example. */
function mayBeElsewhere(ref: string): boolean {
  return ref.startsWith('refs/') || /^[0-9a-f]{7,64}$/i.test(ref);
}

function isDamage(message: string): boolean {
  return /not a git repository: '|corrupt|bad object|missing (blob|tree|commit|object)|unable to read|did not send all necessary objects|\.lock': File exists|is empty/i.test(
    message,
  );
}
