/** Commits of staged files: all environments by one run of git, those that fail one by one. */

import { inParallel } from '../../lib/in-parallel.ts';
import { ChangedMeanwhile, type CommitMessage } from './code-import.ts';
import type { Committer, PreparedCommit, SharedCode } from './committer.ts';
import type { RecordedCommit } from './environment-records.ts';
import { isCorruption, isDiskFull, messageOf } from './failures.ts';
import { type Scan, type ScanRequest, scanDirectories } from './scan.ts';
import type { CodePlace } from './staged-code.ts';

export interface StagedCommitsOptions {
  readonly committer: Committer;
  /** The commit of an environment that is served; `undefined` for a new one. */
  readonly current: (environment: string) => RecordedCommit | undefined;
  readonly stagingDirectory: string;
  /** What is there and is not shared by all environments. */
  readonly excluded: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** How often it is tried to commit files that change while they are read. */
const attempts = 3;
/** How many directories are looked at side by side. */
const parallelScans = 4;
/** Under which name the look at what is shared is remembered. */
export const sharedName = '.shared';

export class StagedCommits {
  private readonly options: StagedCommitsOptions;

  constructor(options: StagedCommitsOptions) {
    this.options = options;
  }

  /**
   * Makes commits of environments, all at once.
   *
   * @param failures - gets those that could not be committed, and why
   * @throws what concerns all of them alike: a full disk, a corrupt repository
   */
  async make(
    places: ReadonlyMap<string, CodePlace>,
    message: CommitMessage,
    failures: Map<string, string>,
  ): Promise<ReadonlyMap<string, RecordedCommit>> {
    const [sharedScan, ...environmentScans] = await scanDirectories(
      [this.sharedPlace(), ...Array.from(places.values(), ({ directory }) => ({ directory, excluded: [] }))],
      this.options.now,
    );
    const shared = await this.shared(sharedScan);
    const dateMs = this.options.now();
    const prepare = ([environment, place]: readonly [string, CodePlace], scan?: Scan) =>
      this.options.committer.prepare(
        {
          ...message,
          environment,
          place,
          shared,
          dateMs,
          remembered: environment,
          ...(scan === undefined ? {} : { scan }),
        },
        this.options.current(environment),
      );
    const looks = new Map(Array.from(places.keys(), (name, index) => [name, environmentScans[index]]));
    const prepared: PreparedCommit[] = [];
    await inParallel([...places], parallelScans, async (entry) => {
      try {
        const scan = looks.get(entry[0]);
        if (scan instanceof Error) throw scan;
        const commit = await prepare(entry, scan);
        if (commit !== undefined) prepared.push(commit);
      } catch (error) {
        if (isFatal(error)) throw error;
        failures.set(entry[0], messageOf(error));
      }
    });
    try {
      return await this.options.committer.make(prepared);
    } catch (error) {
      if (isFatal(error)) throw error;
      return await this.makeOneByOne(prepared, prepare, failures);
    }
  }

  /** What keeps one environment from being committed keeps no other from it. */
  private async makeOneByOne(
    prepared: readonly PreparedCommit[],
    prepare: (entry: readonly [string, CodePlace]) => Promise<PreparedCommit | undefined>,
    failures: Map<string, string>,
  ): Promise<ReadonlyMap<string, RecordedCommit>> {
    const made = new Map<string, RecordedCommit>();
    for (const { request } of prepared) {
      try {
        await tryAgain(async () => {
          const again = await prepare([request.environment, request.place]);
          for (const [name, commit] of await this.options.committer.make(again === undefined ? [] : [again]))
            made.set(name, commit);
        });
      } catch (error) {
        if (isFatal(error)) throw error;
        failures.set(request.environment, messageOf(error));
      }
    }
    return made;
  }

  /** Brings what all environments share into the repository. */
  async shared(scan?: Scan | Error): Promise<SharedCode> {
    if (scan instanceof Error) throw scan;
    let seen = scan;
    return await tryAgain(async () => {
      const first = seen;
      seen = undefined; // the second time has to look again
      return await this.options.committer.importShared(this.sharedPlace(), sharedName, first);
    });
  }

  private sharedPlace(): ScanRequest {
    const { excluded, stagingDirectory } = this.options;
    return { directory: stagingDirectory, excluded };
  }
}

/** Failures that concern all environments alike. */
function isFatal(error: unknown): boolean {
  return isDiskFull(error) || isCorruption(error);
}

/** Looks again when files have changed while they were read. */
export async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || attempt >= attempts) throw error;
    }
  }
}
