/** Where the explanation of a change looks: code, groups, and what the classifier said of a run. */

/** A file of an environment that differs between two commits. */
export interface ChangedFile {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
}

/** A change of a node group, as the record of changes has it. */
export interface RecordedGroupChange {
  readonly id: number;
  readonly time: Date;
  readonly by: string;
  readonly message: string;
  readonly groupId: string;
  readonly group: string;
}

/** Group id -> condition with the values that were compared, as the classifier explains it. */
export type Explanation = Readonly<Record<string, unknown>>;

export interface WhySource {
  /** The rows of a query of PuppetDB, in its AST. */
  rows(query: readonly unknown[], signal: AbortSignal): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * The files that differ between the versions of code of two runs.
   *
   * @param before, after - `code_id`
   * @returns `undefined` when one of them is not kept any more
   */
  changedFiles(
    environment: string,
    before: string,
    after: string,
  ): Promise<readonly ChangedFile[] | undefined>;
  /** The lines of a file that differ, as a unified diff without lines around them. */
  changedLines(environment: string, before: string, after: string, path: string): Promise<string>;
  /** The changes of node groups in a span of time, the latest first. Absent where others classify. */
  groupChanges?: (from: Date, to: Date) => Promise<readonly RecordedGroupChange[]>;
  /** What the classifier said for a run. @returns `undefined` when that is not kept */
  explanation?: (certname: string, transactionUuid: string) => Promise<Explanation | undefined>;
}
