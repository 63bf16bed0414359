/** SQL with its values kept apart: no store ever puts a value into a text. */

/** What can be bound. Times are text (`timestamp.ts`), JSON is text. */
export type SqlValue = null | boolean | number | bigint | string | Uint8Array;

export interface Statement {
  /** The SQL between the values: one more than there are values. */
  readonly parts: readonly string[];
  readonly values: readonly SqlValue[];
}

/**
 * Makes a statement from a template: everything in `${}` is bound, never interpolated; another statement is put in.
 *
 * @example sql`select certname from facts where environment = ${environment}`
 */
export function sql(parts: TemplateStringsArray, ...values: readonly (SqlValue | Statement)[]): Statement {
  return values.some(isStatement) ? spliced(parts, values) : { parts, values: values as readonly SqlValue[] };
}

/** A statement without values whose text is made by code: schema definitions and what a dialect writes, never input. */
export function fixedSql(text: string): Statement {
  return { parts: [text], values: [] };
}

function spliced(texts: readonly string[], inserts: readonly (SqlValue | Statement)[]): Statement {
  const parts: string[] = [texts[0] ?? ''];
  const values: SqlValue[] = [];
  inserts.forEach((insert, index) => {
    const text = texts[index + 1] ?? '';
    if (!isStatement(insert)) {
      values.push(insert);
      parts.push(text);
      return;
    }
    parts[parts.length - 1] += insert.parts[0] ?? '';
    parts.push(...insert.parts.slice(1));
    values.push(...insert.values);
    parts[parts.length - 1] += text;
  });
  return { parts, values };
}

function isStatement(value: SqlValue | Statement): value is Statement {
  return typeof value === 'object' && value !== null && 'parts' in value;
}
