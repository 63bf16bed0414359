/** `["~>", path, [pattern or index, ...]]`: each element of a path matches its pattern. */

import { isClause, type Json, printed } from '../ast.ts';
import type { QueryDialect } from '../dialect.ts';
import { type Field, resolveField } from '../field.ts';
import { fragment, raw } from '../fragment.ts';
import { QueryError } from '../query-error.ts';
import type { Operator } from './operator.ts';

export const matchesPath: Operator = (clause, { entity, dialect }) => {
  if (clause.length !== 3) throw new QueryError('~> requires exactly two arguments');
  const field = resolveField(entity, clause[1]);
  if (field.kind !== 'column' || field.column.kind !== 'path') {
    throw new QueryError(`Query operator ~> is not allowed on field ${nameOf(field, clause[1])}`);
  }
  const [, , elements] = clause;
  if (!isClause(elements)) {
    throw new QueryError(`Value does not match schema: (not (sequential? ${JSON.stringify(elements)}))`, 500);
  }
  const patterns = elements.map((element) => {
    if (typeof element === 'number') return String(element);
    return elementPattern(dialect, printed(element));
  });
  const whole = dialect.matches(raw(field.column.sql), dialect.pattern(`^\\[${patterns.join(',')}\\]$`));
  const [first] = elements;
  const { firstKey } = field.column;
  if (firstKey === undefined || typeof first !== 'string') return whole;
  // Not every row need be expanded: most have another name.
  return fragment`(${dialect.matches(raw(firstKey), dialect.pattern(first))} and ${whole})`;
};

/** Keys are quoted in the path's JSON, indexes are not; digits alone mean a key. */
function elementPattern(dialect: QueryDialect, pattern: string): string {
  const inner = pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
  const translated = `(?:${withinElement(dialect.pattern(inner))})`;
  if (/^\d+$/.test(pattern)) return `"${translated}"`;
  const before = pattern.startsWith('^') ? '' : '[^"]*?';
  const after = inner.length < pattern.length && pattern.endsWith('$') ? '' : '[^"]*?';
  return `(?:"${before}${translated}${after}"|\\d*?${translated}\\d*)`;
}

/** What matches anything must not run over the element's end. */
function withinElement(pattern: string): string {
  return pattern.replace(/\\.|\./g, (token) => (token === '.' ? '[^",\\]]' : token));
}

function nameOf(field: Field, given: Json | undefined): string {
  return (field.kind === 'column' ? field.column.label : undefined) ?? printed(given);
}
