/** SQL with its values kept apart: no store ever puts a value into a text. */

/** What can be bound. Times are text (`timestamp.ts`), JSON is text. */
export type SqlValue = null | boolean | number | bigint | string | Uint8Array;

export interface Statement {
  /** The SQL between the values: one more than there are values. */
  readonly parts: readonly string[];
  readonly values: readonly SqlValue[];
}

/**
 * Makes a statement from a template: everything in `${}` is bound, never interpolated.
 *
 * @example sql`select certname from facts where environment = ${environment}`
 */
export function sql(parts: TemplateStringsArray, ...values: readonly SqlValue[]): Statement {
  return { parts, values };
}

/** A statement without values whose text is made by code: schema definitions only, never input. */
export function fixedSql(text: string): Statement {
  return { parts: [text], values: [] };
}
