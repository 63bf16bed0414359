/** Queries as clients send them: JSON in prefix form. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An operator and its arguments. */
export type Clause = readonly Json[];

export function isClause(value: unknown): value is Clause {
  return Array.isArray(value);
}

/** A value in the text of an error, as the reference prints it. */
export function printed(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
