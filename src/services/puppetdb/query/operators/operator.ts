/** What an operator of the query language is. */

import type { Clause } from '../ast.ts';
import type { QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';
import type { Fragment } from '../fragment.ts';

/** What an operator sees of the query that it stands in. */
export interface OperatorContext {
  readonly entity: Entity;
  readonly dialect: QueryDialect;
  /** Compiles an argument that is a condition of its own. */
  readonly condition: (clause: unknown) => Fragment;
  /**
   * Compiles what `in` looks into.
   *
   * @returns a select and the number of its columns
   */
  readonly selection: (entityName: string, query: Clause | undefined, paging: readonly Clause[]) => Selection;
  /** @throws QueryError when there is none of this name */
  readonly entityNamed: (name: string) => Entity | undefined;
}

export interface Selection {
  readonly sql: Fragment;
  readonly columns: number;
}

/** @param clause - the whole clause, its name first */
export type Operator = (clause: Clause, context: OperatorContext) => Fragment;
