/** What has been committed of each environment: one small file each, written before a commit is told to anybody. */

import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFilesAtomically } from '../../lib/atomic-file.ts';

const CommitWire = z.object({
  id: z.string().regex(/^[0-9a-f]{40}$/),
  /** The tree of the whole: two commits with the same are the same code. */
  tree: z.string(),
  code: z.string().optional(),
  shared: z.string().optional(),
  /** Metadata that trees cannot hold. */
  layoutDigest: z.string(),
  /** Below the directory of all code: `environments/production`. */
  directory: z.string(),
  dateMs: z.number(),
  message: z.string(),
  author: z.object({ name: z.string(), email: z.string() }),
});

const RecordWire = z.object({
  current: z.string(),
  commits: z.array(CommitWire),
  /** Milliseconds since the epoch; only in files of environments that were removed. */
  removedAtMs: z.number().optional(),
});

/** How long the commits of a removed environment stay, so that a rollback can bring it back. */
const removedKeptMs = 30 * 24 * 60 * 60 * 1000;

export type RecordedCommit = Readonly<z.infer<typeof CommitWire>>;

export interface EnvironmentRecord {
  /** The commit that is to be served. */
  readonly current: RecordedCommit;
  /** All that are kept, the latest first; the current one among them. */
  readonly commits: readonly RecordedCommit[];
}

interface RemovedRecord extends EnvironmentRecord {
  /** Milliseconds since the epoch. */
  readonly removedAtMs: number;
}

export interface RecordFiles {
  /** Has one file for each environment. */
  readonly directory: string;
  /** Has one file for each environment that was removed not long ago. */
  readonly removedDirectory: string;
  /** How many commits of each environment are kept. */
  readonly keptCommits: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export class EnvironmentRecords {
  private readonly files: RecordFiles;
  private readonly records = new Map<string, EnvironmentRecord>();
  private readonly removed = new Map<string, RemovedRecord>();
  /** Every commit that is kept; made when it is asked for. */
  private kept: ReadonlySet<string> | undefined;

  private constructor(files: RecordFiles) {
    this.files = files;
  }

  /** Files that can't be read as records are as if they were not there: the names of environments' files are returned. */
  static async open(
    files: RecordFiles,
  ): Promise<{ records: EnvironmentRecords; unreadable: readonly string[] }> {
    const records = new EnvironmentRecords(files);
    const unreadable: string[] = [];
    for await (const [environment, record] of readRecords(files.directory))
      if (record === undefined) unreadable.push(`${environment}.json`);
      else records.records.set(environment, record);
    for await (const [environment, record] of readRecords(files.removedDirectory)) {
      // A process that ended between two steps of a removal has left both files: then it is not removed yet.
      if (record === undefined || records.records.has(environment)) continue;
      records.removed.set(environment, { ...record, removedAtMs: record.removedAtMs ?? files.now() });
    }
    await records.forgetLongRemoved();
    return { records, unreadable };
  }

  get(environment: string): EnvironmentRecord | undefined {
    return this.records.get(environment);
  }

  /** The commits that are kept, the latest first; also of an environment that was removed not long ago. */
  history(environment: string): readonly RecordedCommit[] {
    return (this.records.get(environment) ?? this.removed.get(environment))?.commits ?? [];
  }

  environments(): readonly string[] {
    return [...this.records.keys()].sort();
  }

  get size(): number {
    return this.records.size;
  }

  /** Every commit that is kept. The same object until that changes. */
  allCommits(): ReadonlySet<string> {
    const all = [...this.records.values(), ...this.removed.values()];
    this.kept ??= new Set(all.flatMap(({ commits }) => commits.map(({ id }) => id)));
    return this.kept;
  }

  /** The record with another commit as the current one. */
  withCurrent(environment: string, commit: RecordedCommit): EnvironmentRecord {
    const earlier = this.history(environment);
    if (earlier.some(({ id }) => id === commit.id)) return { current: commit, commits: earlier };
    return { current: commit, commits: [commit, ...earlier].slice(0, this.files.keptCommits) };
  }

  /** All that are kept: those first that are served, then the latest of each environment, the second latest ... */
  byImportance(): readonly string[] {
    const served = Array.from(this.records.values(), ({ current }) => current.id);
    const generations = Array.from(this.records.values(), ({ commits }) =>
      commits.map(({ id }, generation) => ({ id, generation })),
    );
    const others = generations.flat().sort((a, b) => a.generation - b.generation);
    return [...new Set([...served, ...others.map(({ id }) => id), ...this.allCommits()])];
  }

  /** The record with this commit as the current one, and without those that are no more. */
  onlyWith(environment: string, commit: RecordedCommit, there: ReadonlySet<string>): EnvironmentRecord {
    const { commits = [] } = this.records.get(environment) ?? {};
    const kept = commits.filter(({ id }) => there.has(id) || id === commit.id);
    return { current: commit, commits: kept.some(({ id }) => id === commit.id) ? kept : [commit, ...kept] };
  }

  /** Durable when it resolves; on failure everything is as before, in memory at least. */
  async save(changed: ReadonlyMap<string, EnvironmentRecord>): Promise<void> {
    await writeFilesAtomically(
      Array.from(changed, ([environment, record]) => encode(this.fileOf(environment), record)),
    );
    for (const [environment, record] of changed) {
      this.records.set(environment, record);
      await this.forgetRemoved(environment);
    }
    this.kept = undefined;
  }

  /** Keeps the commits for 30 days, so that the environment can come back. */
  async remove(environment: string): Promise<void> {
    const record = this.records.get(environment);
    if (record === undefined) return;
    const removed = { ...record, removedAtMs: this.files.now() };
    await writeFilesAtomically([encode(this.removedFileOf(environment), removed)]);
    this.removed.set(environment, removed);
    await this.discard(environment);
    await this.forgetLongRemoved();
  }

  /** Forgets an environment whose commits are lost. */
  async discard(environment: string): Promise<void> {
    await rm(this.fileOf(environment), { force: true });
    this.records.delete(environment);
    this.kept = undefined;
  }

  /** Of removed environments only these commits are left. */
  async keepOfRemoved(there: ReadonlySet<string>): Promise<void> {
    for (const [environment, record] of this.removed) {
      const commits = record.commits.filter(({ id }) => there.has(id));
      const [current] = commits;
      if (current === undefined) await this.forgetRemoved(environment);
      else this.removed.set(environment, { ...record, current, commits });
    }
    this.kept = undefined;
  }

  private async forgetLongRemoved(): Promise<void> {
    const oldestMs = this.files.now() - removedKeptMs;
    for (const [environment, { removedAtMs }] of this.removed)
      if (removedAtMs < oldestMs) await this.forgetRemoved(environment);
    this.kept = undefined;
  }

  private async forgetRemoved(environment: string): Promise<void> {
    if (!this.removed.delete(environment)) return;
    await rm(this.removedFileOf(environment), { force: true });
  }

  private fileOf(environment: string): string {
    return join(this.files.directory, `${environment}.json`);
  }

  private removedFileOf(environment: string): string {
    return join(this.files.removedDirectory, `${environment}.json`);
  }
}

type DecodedRecord = EnvironmentRecord & { readonly removedAtMs?: number | undefined };

/** Each file's environment with its record; `undefined` for one that is damaged. */
async function* readRecords(
  directory: string,
): AsyncGenerator<readonly [environment: string, record: DecodedRecord | undefined]> {
  await mkdir(directory, { recursive: true });
  for (const name of await readdir(directory)) {
    if (name.endsWith('.json'))
      yield [name.slice(0, -'.json'.length), decode(await readFile(join(directory, name), 'utf8'))];
    else await rm(join(directory, name), { force: true }); // half-written
  }
}

function encode(path: string, { commits, current, removedAtMs }: DecodedRecord) {
  return { path, content: JSON.stringify({ current: current.id, commits, removedAtMs }), mode: 0o644 };
}

function decode(text: string): DecodedRecord | undefined {
  try {
    const { commits, current: id, removedAtMs } = RecordWire.parse(JSON.parse(text));
    const current = commits.find((commit) => commit.id === id);
    return current === undefined ? undefined : { current, commits, removedAtMs };
  } catch {
    return undefined; // damaged; the caller says so
  }
}
