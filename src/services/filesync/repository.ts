/**
 * The bare git repository in which all environments' commits are, on the primary and on each server that follows it.
 *
 * One for all environments: they have most of their files in common, which are stored and transported once. A commit has
 * no parent: which one came before is written down elsewhere, so that old ones can be dropped.
 */

import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { endOf, type Git } from '../../platform/git/index.ts';
import type { RunningProcess } from '../../platform/processes/index.ts';
import { pathOf, quoted } from './byte-names.ts';
import { type CommitOrder, importCommits, isBrokenPipe, type MadeCommit } from './code-import.ts';
import { type CommitDetails, decodeCommitDetails, detailQuestions } from './commit-details.ts';
import { withReason } from './failures.ts';

/** A tree on disk, and git's knowledge of the files in it. */
export interface CheckedOutTree {
  readonly directory: string;
  readonly index: string;
}

/** An entry of a directory in a commit. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link';
  /** Of a file. */
  readonly bytes: number | undefined;
}

/** Content is stored and checked out byte for byte, whatever `.gitattributes` in the code may ask for. */
const plainAttributes = '* -text -eol -ident -filter -working-tree-encoding -export-ignore -export-subst\n';

/** `$1` repository, then commits: takes a pack from its input, prints what is asked about the commits. */
const receiveScript = `
repository=$1; shift
git --git-dir="$repository" index-pack --stdin --fix-thin > /dev/null || exit
for id in "$@"; do printf '${detailQuestions('%s').replaceAll('\n', '\\n')}' "$id" "$id" "$id" "$id"; done |
  git --git-dir="$repository" cat-file --batch-command
`;

/**
 * `$1` repository, `$2` new directory, `$3` tree, `$4` how to begin: `write`, `link` or `move`; `$5` and `$6` directory and
 * index to begin with. Prints files that are in the directory but not in the tree.
 */
const checkOutScript = `
# A version without files has an empty file as its index, which git refuses.
how=$4; [ -s "$6" ] || how=write
case $how in
write) mkdir -p -- "$2" || exit ;;
link)
  if ! cp --archive --link -- "$5" "$2" || ! cp -- "$6" "$GIT_INDEX_FILE"; then
    rm -rf -- "$2" "$GIT_INDEX_FILE"; mkdir -p -- "$2" || exit
  fi ;;
move) mv -- "$5" "$2" && mv -- "$6" "$GIT_INDEX_FILE" || exit ;;
esac
git --git-dir="$1" --work-tree="$2" read-tree --reset -u "$3" || exit
[ "$how" = write ] || git --git-dir="$1" --work-tree="$2" ls-files --others -z
`;

const configuration = [
  // Larger files pass through without being held in memory, and without looking for what they have in common.
  'core.bigFileThreshold=8m',
  'core.compression=1',
  // What is mapped of packs at a time, which the system counts as this process's memory.
  'core.packedGitWindowSize=32m',
  'core.packedGitLimit=128m',
  'pack.threads=1',
  'pack.windowMemory=64m',
  // File names are bytes, here as on disk: what other systems make of them does not matter.
  'core.protectNTFS=false',
  'core.protectHFS=false',
  'core.symlinks=true',
  // A further link to a file changes its ctime.
  'core.trustctime=false',
  'gc.autoDetach=false',
  'gc.reflogExpire=now',
];

const bulkTimeoutMs = 60 * 60 * 1000;
/** So many packs make looking for an object slow. */
const manyPacks = 40;

export class Repository {
  readonly directory: string;
  private readonly git: Git;

  constructor(git: Git, directory: string) {
    this.git = git;
    this.directory = directory;
  }

  /** Makes it unless it is there, and removes what processes that were killed have left. */
  async open(): Promise<void> {
    if (existsSync(join(this.directory, 'HEAD'))) {
      await this.removeLeftovers();
      return;
    }
    await mkdir(this.directory, { recursive: true });
    await this.git.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', this.directory]);
    await mkdir(join(this.directory, 'info'), { recursive: true });
    await writeFile(join(this.directory, 'info', 'attributes'), plainAttributes);
  }

  /** @throws see `importCommits` */
  async import(orders: readonly CommitOrder[]): Promise<readonly MadeCommit[]> {
    try {
      return await importCommits(this.git, this.directory, orders);
    } catch (error) {
      await this.removeLeftovers();
      throw error;
    }
  }

  /** What is known of commits; those that are not here as a whole are absent. */
  async details(commits: readonly string[]): Promise<ReadonlyMap<string, CommitDetails>> {
    if (commits.length === 0) return new Map();
    const input = commits.map((id) => detailQuestions(id)).join('');
    const answers = await this.git.run([...this.place(), 'cat-file', '--batch-command'], { input });
    return decodeCommitDetails(answers, commits);
  }

  /**
   * The objects of some commits as git's pack, without those of others.
   *
   * @param have - commits that are here, of which the asker has everything
   */
  pack(want: readonly string[], have: readonly string[], signal?: AbortSignal): RunningProcess {
    const child = this.git.spawn(
      [...this.place(), 'pack-objects', '--revs', '--stdout', '--thin', '--delta-base-offset', '--quiet'],
      { timeoutMs: bulkTimeoutMs, ...(signal === undefined ? {} : { signal }) },
    );
    child.stdin.on('error', () => {}); // its exit code says what was wrong
    // Commits have no parents, so that leaving a commit out does not leave out its files: its tree has to be named, too.
    const unwanted = have.flatMap((id) => [`^${id}`, `^${id}^{tree}`]);
    child.stdin.end([...want, ...unwanted].map((line) => `${line}\n`).join(''));
    return child;
  }

  /**
   * Takes in a pack.
   *
   * @returns as `details` of the commits
   * @throws GitError when it is not whole; nothing is kept then
   */
  async receive(
    pack: Readable,
    commits: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, CommitDetails>> {
    const child = this.git.script(receiveScript, [this.directory, ...commits], {
      configuration,
      timeoutMs: bulkTimeoutMs,
      signal,
    });
    const answers: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => answers.push(chunk));
    const [ended, fed] = await Promise.allSettled([endOf(child, 'index-pack'), pipeline(pack, child.stdin)]);
    if (ended.status === 'fulfilled' && fed.status === 'fulfilled')
      return decodeCommitDetails(Buffer.concat(answers), commits);
    await this.removeLeftovers();
    // A cut line does not invalidate what arrived before.
    if (fed.status === 'rejected' && !isBrokenPipe(fed.reason)) throw fed.reason;
    throw ended.status === 'rejected' ? ended.reason : fed.status === 'rejected' ? fed.reason : undefined;
  }

  /**
   * Writes the files of a tree into a new directory.
   *
   * @param base - a checked out tree with files in common, which are linked, not written, or which becomes the new one if
   * it is not needed; whatever has been done to files meanwhile is undone
   */
  async checkOut(
    tree: string | undefined,
    target: CheckedOutTree,
    base?: CheckedOutTree & { readonly isSpare: boolean },
  ): Promise<void> {
    if (tree === undefined) {
      await mkdir(target.directory, { recursive: true });
      await writeFile(target.index, '');
      return;
    }
    const how = base === undefined ? 'write' : base.isSpare ? 'move' : 'link';
    const paths = [this.directory, target.directory, tree, how, base?.directory ?? '', base?.index ?? ''];
    const others = await this.git
      .runScript('checkout', checkOutScript, paths, {
        configuration,
        environment: { GIT_INDEX_FILE: target.index },
        timeoutMs: bulkTimeoutMs,
      })
      .catch(async (error: unknown) => {
        throw await withReason(error, target.directory);
      });
    for (const name of others.toString('latin1').split('\0'))
      if (name !== '') await rm(pathOf(target.directory, name), { recursive: true, force: true });
  }

  /** Finds a file of a tree, links within it followed: its object and size. */
  async find(
    tree: string,
    name: string,
  ): Promise<{ readonly object: string; readonly bytes: number } | undefined> {
    const output = await this.git.text(
      [
        ...this.place(),
        'cat-file',
        '--batch-check=%(objectname) %(objecttype) %(objectsize)',
        '--follow-symlinks',
      ],
      { input: Buffer.from(`${tree}:${name}\n`, 'latin1') },
    );
    const match = /^([0-9a-f]{40}) blob (\d+)$/.exec(output);
    return match === null ? undefined : { object: match[1] ?? '', bytes: Number(match[2]) };
  }

  /** As `find`, also for directories. @param name - empty for the tree itself */
  async inspect(
    tree: string,
    name: string,
  ): Promise<{ readonly object: string; readonly kind: string; readonly bytes: number } | undefined> {
    const format = '--batch-check=%(objectname) %(objecttype) %(objectsize)';
    const output = await this.git.text([...this.place(), 'cat-file', format, '--follow-symlinks'], {
      input: `${tree}:${name}\n`,
    });
    const match = /^([0-9a-f]{40}) (blob|tree) (\d+)$/.exec(output);
    if (match === null) return undefined;
    const [, object = '', kind = '', bytes = ''] = match;
    return { object, kind, bytes: Number(bytes) };
  }

  /** The entries of a directory, directories first. */
  async entries(tree: string): Promise<readonly TreeEntry[]> {
    const output = await this.git.text([...this.place(), 'ls-tree', '-z', '--long', tree]);
    const entries = output.split('\0').flatMap((line): readonly TreeEntry[] => {
      const match = /^(\d+) (\w+) [0-9a-f]+ +(\d+|-)\t(.*)$/s.exec(line);
      if (match === null) return [];
      const [, mode = '', type = '', bytes = '', name = ''] = match;
      const kind = type === 'tree' ? 'directory' : mode === '120000' ? 'link' : 'file';
      return [{ name, kind, bytes: kind === 'file' ? Number(bytes) : undefined }];
    });
    const isFile = ({ kind }: TreeEntry) => Number(kind !== 'directory');
    return entries.toSorted((a, b) => isFile(a) - isFile(b));
  }

  /** Which files differ between two trees. */
  async changedFiles(
    before: string,
    after: string,
  ): Promise<readonly { readonly path: string; readonly kind: 'added' | 'removed' | 'changed' }[]> {
    const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-status', before, after];
    const words = (await this.git.run([...this.place(), ...args])).toString('utf8').split('\0');
    const kinds = { A: 'added', D: 'removed' } as const;
    return Array.from({ length: Math.floor(words.length / 2) }, (_, index) => ({
      path: words[2 * index + 1] ?? '',
      kind: kinds[words[2 * index] as keyof typeof kinds] ?? 'changed',
    }));
  }

  /** The differing lines of a file in two trees, as a unified diff without lines around them. */
  async changedLines(before: string, after: string, path: string): Promise<string> {
    const args = ['diff-tree', '-p', '--unified=0', '--no-renames', before, after, '--', `:(literal)${path}`];
    return await this.git.text([...this.place(), ...args]);
  }

  /** The content of an object that `find` found. */
  read(object: string): Readable {
    const child = this.git.spawn([...this.place(), 'cat-file', 'blob', object], { timeoutMs: bulkTimeoutMs });
    child.stdin.end();
    child.stderr.resume();
    child.exited.catch((error: unknown) => child.stdout.destroy(error as Error));
    return child.stdout;
  }

  /** Whether objects of these commits are missing or damaged; reads all of them. */
  async isSound(commits: readonly string[]): Promise<boolean> {
    const args = ['fsck', '--full', '--no-dangling', '--no-reflogs', '--no-progress', ...commits];
    return this.git.run([...this.place(), ...args], { timeoutMs: bulkTimeoutMs }).then(
      () => true,
      () => false,
    );
  }

  /** Whether nothing of these commits is missing. What is damaged is found only where it has to be read. */
  async isComplete(commits: readonly string[]): Promise<boolean> {
    const input = commits.map((id) => `${id}\n`).join('');
    return this.git
      .run([...this.place(), 'rev-list', '--objects', '--quiet', '--stdin'], {
        input,
        timeoutMs: bulkTimeoutMs,
      })
      .then(
        () => true,
        () => false,
      );
  }

  /** Whether it would be faster, and perhaps smaller, after `collect()`. */
  async isScattered(): Promise<boolean> {
    const names = await readdir(join(this.directory, 'objects', 'pack')).catch(() => []);
    return names.filter((name) => name.endsWith('.pack')).length > manyPacks;
  }

  /**
   * Removes what belongs to none of the commits, and packs the rest.
   *
   * @param graceSeconds - objects younger than this stay: somebody may just be about to use them
   */
  async collect(keep: readonly string[], graceSeconds: number): Promise<void> {
    const there = (await this.git.text([...this.place(), 'for-each-ref', '--format=%(refname)'])).split('\n');
    const wanted = new Set(keep.map((id) => `refs/kept/${id}`));
    const lines = [
      ...keep.map((id) => `update refs/kept/${id} ${id}\n`),
      ...there.filter((ref) => ref !== '' && !wanted.has(ref)).map((ref) => `delete ${quoted(ref)}\n`),
    ];
    await this.git.run([...this.place(), 'update-ref', '--stdin'], { input: lines.join('') });
    const prune = graceSeconds === 0 ? 'now' : `${graceSeconds}.seconds.ago`;
    await this.git.run([...this.place(), 'gc', '--quiet', `--prune=${prune}`], { timeoutMs: bulkTimeoutMs });
  }

  /** Only one process works on a repository: locks and half-written packs belong to processes that are gone. */
  private async removeLeftovers(): Promise<void> {
    const packs = join(this.directory, 'objects', 'pack');
    for (const name of await readdir(packs).catch(() => []))
      if (name.startsWith('tmp_') || name.startsWith('.tmp-') || name.endsWith('.keep'))
        await rm(join(packs, name), { force: true });
    for (const name of await readdir(this.directory).catch(() => []))
      if (name.endsWith('.lock') || name === 'gc.pid' || name.startsWith('fast_import_crash_'))
        await rm(join(this.directory, name), { force: true });
    for (const name of await readdir(join(this.directory, 'refs'), { recursive: true }).catch(() => []))
      if (name.endsWith('.lock')) await rm(join(this.directory, 'refs', name), { force: true });
  }

  private place(): readonly string[] {
    return [...configuration.flatMap((entry) => ['-c', entry]), `--git-dir=${this.directory}`];
  }
}
