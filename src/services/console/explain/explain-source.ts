/** Where explanations of values and resources come from: a compile of the node, and its groups. */

import type { Explained, ExplainQuestion } from '../../../language/evaluator/index.ts';

export interface CompileAnswer {
  readonly explained: Explained;
  readonly environment: string;
  /** Of the version of code that was compiled. */
  readonly codeId: string | null;
  /** Why the manifests were left out: the code does not compile. */
  readonly problem: string | undefined;
}

/** A class, parameter or value that a group gives. */
export type GivenByGroup =
  | { readonly kind: 'class'; readonly className: string }
  | { readonly kind: 'parameter' | 'data'; readonly className: string; readonly parameter: string };

export interface GivingGroup {
  readonly id: string;
  readonly name: string;
}

export interface ExplainSource {
  /**
   * Compiles a node's catalog and answers a question about it.
   *
   * @param environment - that of the node when absent
   * @throws ServiceError `not-found` for a node without facts, `compile-failed` in Puppet's words
   */
  ask(
    certname: string,
    environment: string | undefined,
    question: ExplainQuestion,
    signal: AbortSignal,
  ): Promise<CompileAnswer>;
  /** The groups that give a node a class, parameter or value. Absent without our classifier. */
  readonly givingGroups?: (
    certname: string,
    given: GivenByGroup,
    signal: AbortSignal,
  ) => Promise<readonly GivingGroup[]>;
  /** The commit that a version of code is. */
  readonly commitOf: (codeId: string) => string | undefined;
}
