/** Reads the files of commits that are kept: lists, contents, and what differs between two commits of an environment. */

import { ServiceError } from '../../lib/service-error.ts';
import type { RecordedCommit } from './environment-records.ts';
import type { Repository, TreeEntry } from './repository.ts';

export interface FileChange {
  /** Below the environment's directory. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
}

export interface CommittedContent {
  readonly bytes: number;
  /** `undefined` for a file that is larger than asked for. */
  readonly content: Buffer | undefined;
}

export type CommittedPath =
  | { readonly kind: 'directory'; readonly entries: readonly TreeEntry[] }
  | ({ readonly kind: 'file' } & CommittedContent);

export class CommittedFiles {
  private readonly repository: Repository;
  private readonly history: (environment: string) => readonly RecordedCommit[];

  /** @param history - the commits that are kept of an environment */
  constructor(repository: Repository, history: (environment: string) => readonly RecordedCommit[]) {
    this.repository = repository;
    this.history = history;
  }

  /**
   * A directory or file of a commit, links within the commit followed.
   *
   * @param path - below the environment's directory; empty for that directory
   * @returns `undefined` when the commit is not kept or has no such path
   * @throws ServiceError `bad-request` for a path that leaves the environment
   */
  async find(
    environment: string,
    commit: string,
    path: string,
    mostBytes: number,
  ): Promise<CommittedPath | undefined> {
    const tree = this.treeOf(environment, commit);
    if (tree === undefined) return undefined;
    const found = await this.repository.inspect(tree, checkedPath(path));
    if (found?.kind === 'tree')
      return { kind: 'directory', entries: await this.repository.entries(found.object) };
    if (found?.kind !== 'blob') return undefined;
    const { bytes, object } = found;
    if (bytes > mostBytes) return { kind: 'file', bytes, content: undefined };
    const parts: Buffer[] = [];
    for await (const part of this.repository.read(object)) parts.push(part as Buffer);
    return { kind: 'file', bytes, content: Buffer.concat(parts) };
  }

  /** @returns `undefined` when one of the commits is not kept any more */
  async compare(
    environment: string,
    before: string,
    after: string,
  ): Promise<readonly FileChange[] | undefined> {
    const trees = [this.treeOf(environment, before), this.treeOf(environment, after)];
    const [left, right] = trees;
    if (left === undefined || right === undefined) return undefined;
    return await this.repository.changedFiles(left, right);
  }

  /**
   * The lines of a file that differ, as a unified diff without lines around them.
   *
   * @returns empty when a commit is not kept any more
   */
  async changedLines(environment: string, before: string, after: string, path: string): Promise<string> {
    const [left, right] = [this.treeOf(environment, before), this.treeOf(environment, after)];
    if (left === undefined || right === undefined) return '';
    return await this.repository.changedLines(left, right, checkedPath(path));
  }

  private treeOf(environment: string, commit: string): string | undefined {
    return this.history(environment).find(({ id }) => id === commit)?.code;
  }
}

function checkedPath(path: string): string {
  const isInside = path.split('/').every((part) => part !== '..' && part !== '.');
  if (isInside && !path.startsWith('/') && !/[\0\n]/.test(path)) return path.replace(/\/+$/, '');
  throw new ServiceError(
    'bad-request',
    `The path must be below the environment, not ${JSON.stringify(path)}`,
  );
}
