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
  /** Of what the trees have no room for. */
  layoutDigest: z.string(),
  /** Below the directory of all code: `environments/production`. */
  directory: z.string(),
  dateMs: z.number(),
  message: z.string(),
  author: z.object({ name: z.string(), email: z.string() }),
});

const RecordWire = z.object({ current: z.string(), commits: z.array(CommitWire) });

export type RecordedCommit = Readonly<z.infer<typeof CommitWire>>;

export interface EnvironmentRecord {
  /** The commit that is to be served. */
  readonly current: RecordedCommit;
  /** All that are kept, the latest first; the current one among them. */
  readonly commits: readonly RecordedCommit[];
}

export class EnvironmentRecords {
  private readonly directory: string;
  private readonly keptCommits: number;
  private readonly records = new Map<string, EnvironmentRecord>();
  /** Every commit that is kept; made when it is asked for. */
  private kept: ReadonlySet<string> | undefined;

  private constructor(directory: string, keptCommits: number) {
    this.directory = directory;
    this.keptCommits = keptCommits;
  }

  /**
   * Files that can't be read as records are as if they were not there: their names are returned.
   *
   * @param keptCommits - how many of each environment
   */
  static async open(
    directory: string,
    keptCommits: number,
  ): Promise<{ records: EnvironmentRecords; unreadable: readonly string[] }> {
    await mkdir(directory, { recursive: true });
    const records = new EnvironmentRecords(directory, keptCommits);
    const unreadable: string[] = [];
    for (const name of await readdir(directory)) {
      if (!name.endsWith('.json')) {
        await rm(join(directory, name), { force: true }); // half-written
        continue;
      }
      const record = decode(await readFile(join(directory, name), 'utf8'));
      if (record === undefined) unreadable.push(name);
      else records.records.set(name.slice(0, -'.json'.length), record);
    }
    return { records, unreadable };
  }

  get(environment: string): EnvironmentRecord | undefined {
    return this.records.get(environment);
  }

  environments(): readonly string[] {
    return [...this.records.keys()].sort();
  }

  get size(): number {
    return this.records.size;
  }

  /** Every commit that is kept. The same object until that changes. */
  allCommits(): ReadonlySet<string> {
    this.kept ??= new Set([...this.records.values()].flatMap(({ commits }) => commits.map(({ id }) => id)));
    return this.kept;
  }

  /** The record with another commit as the current one. */
  withCurrent(environment: string, commit: RecordedCommit): EnvironmentRecord {
    const earlier = this.records.get(environment)?.commits ?? [];
    if (earlier.some(({ id }) => id === commit.id)) return { current: commit, commits: earlier };
    return { current: commit, commits: [commit, ...earlier].slice(0, this.keptCommits) };
  }

  /** All that are kept: those first that are served, then the latest of each environment, the second latest ... */
  byImportance(): readonly string[] {
    const served = Array.from(this.records.values(), ({ current }) => current.id);
    const generations = Array.from(this.records.values(), ({ commits }) =>
      commits.map(({ id }, generation) => ({ id, generation })),
    );
    const others = generations.flat().sort((a, b) => a.generation - b.generation);
    return [...new Set([...served, ...others.map(({ id }) => id)])];
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
      Array.from(changed, ([environment, { current, commits }]) => ({
        path: join(this.directory, `${environment}.json`),
        content: JSON.stringify({ current: current.id, commits }),
        mode: 0o644,
      })),
    );
    for (const [environment, record] of changed) this.records.set(environment, record);
    this.kept = undefined;
  }

  async remove(environment: string): Promise<void> {
    await rm(join(this.directory, `${environment}.json`), { force: true });
    this.records.delete(environment);
    this.kept = undefined;
  }
}

function decode(text: string): EnvironmentRecord | undefined {
  try {
    const wire = RecordWire.parse(JSON.parse(text));
    const current = wire.commits.find(({ id }) => id === wire.current);
    return current === undefined ? undefined : { current, commits: wire.commits };
  } catch {
    return undefined; // damaged; the caller says so
  }
}
