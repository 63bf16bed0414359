/** What can be asked for. */

import type { Clause, Json } from './ast.ts';

/** Something that must be known. */
export interface Required {
  /** As an error names it: `node`. */
  readonly label: string;
  readonly entity: string;
  readonly field: string;
  readonly value: string;
}

/** Which rows of an entity. */
export interface EntityRows {
  /** `facts`, `fact-contents` or `fact_contents` */
  readonly entity: string;
  /** All rows when absent. */
  readonly query?: Clause | undefined;
  /** Hold beside the query. */
  readonly conditions?: readonly Clause[];
  /** The outer ones first. */
  readonly required?: readonly Required[];
  /** Also of nodes that are not active. */
  readonly isOfAnyNode?: boolean;
}

export type Query =
  /** PQL, or the AST form of the root (`["from", ...]`), as text or as a value. */
  { readonly kind: 'root'; readonly query: Json } | ({ readonly kind: 'rows' } & EntityRows);
