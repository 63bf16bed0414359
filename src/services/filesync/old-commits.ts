/** Files of commits that are not live here (any more, or yet): agents ask for what their catalog was made of. */

import type { Readable } from 'node:stream';
import { ServiceError } from '../../lib/service-error.ts';
import type { CodeCopy } from './code-copy.ts';
import { commitOf } from './code-versions.ts';

export interface FoundFile {
  readonly bytes: number;
  readonly open: () => Readable;
}

/** A file as a static catalog names it. */
export interface CommittedFile {
  readonly environment: string;
  readonly codeId: string;
  /** Below the environment's directory. */
  readonly name: string;
}

/** An unknown commit is not asked for again for so long. */
const unknownForMs = 60_000;
const unknownLimit = 1000;

export class OldCommits {
  private readonly copy: CodeCopy;
  private readonly now: () => number;
  /** Commits that the source did not know, and when that was. */
  private readonly unknown = new Map<string, number>();

  constructor(copy: CodeCopy, now: () => number) {
    this.copy = copy;
    this.now = now;
  }

  /** @param have - commits that are here and likely to have files in common */
  async find(
    { codeId, environment, name }: CommittedFile,
    have: readonly string[],
    signal: AbortSignal,
  ): Promise<FoundFile | undefined> {
    const commit = commitOf(codeId);
    if (commit === undefined || !codeId.endsWith(`;${environment}`)) return undefined;
    const tree = await this.treeOf(commit, have, signal);
    if (tree === undefined) return undefined;
    const { repository } = this.copy;
    const found = await repository.find(tree, Buffer.from(name).toString('latin1'));
    if (found === undefined) return undefined;
    return { bytes: found.bytes, open: () => repository.read(found.object) };
  }

  private async treeOf(
    commit: string,
    have: readonly string[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const unknownSince = this.unknown.get(commit);
    if (unknownSince !== undefined && this.now() - unknownSince < unknownForMs) return undefined;
    try {
      return (await this.copy.obtain([commit], have, signal)).get(commit)?.code;
    } catch (error) {
      // Whatever it is: the agent is told that there is no such file, and asks again with its next run.
      if (!(error instanceof ServiceError)) throw error;
      if (error.reason !== 'not-found') return undefined;
      if (this.unknown.size >= unknownLimit) this.unknown.clear();
      this.unknown.set(commit, this.now());
      return undefined;
    }
  }
}
