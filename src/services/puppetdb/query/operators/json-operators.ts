/** What operators ask of a value within JSON. */

import { isClause, type Json, printed } from '../ast.ts';
import type { Comparison, QueryDialect } from '../dialect.ts';
import type { DottedAccess, Entity, JsonTest } from '../entity.ts';
import { findField } from '../field.ts';
import { type Fragment, fragment } from '../fragment.ts';
import { jsonContains, jsonEquals, jsonMatches } from '../json-condition.ts';
import { QueryError } from '../query-error.ts';

export interface JsonQuestion {
  readonly test: JsonTest;
  /** Whether it is false for rows that don't even have the first key; it may be unknown otherwise. */
  readonly needsKey: boolean;
  /** Whether it is never unknown. */
  readonly isCertain: boolean;
}

export function jsonQuestion(
  operator: string,
  value: Json,
  access: DottedAccess,
  dialect: QueryDialect,
): JsonQuestion | undefined {
  switch (operator) {
    case '=':
      if (access.isIndexed === true) {
        return { test: (json) => jsonEquals(dialect, json, value), needsKey: true, isCertain: false };
      }
      return { test: (json) => jsonContains(dialect, json, value), needsKey: false, isCertain: true };
    case '>':
    case '<':
    case '>=':
    case '<=': {
      const literal = comparable(operator, value);
      const test: JsonTest = (json) => dialect.comparesJson(json, operator, literal);
      return { test, needsKey: true, isCertain: false };
    }
    case '~': {
      const pattern = dialect.pattern(printed(value));
      return { test: (json) => jsonMatches(dialect, json, pattern), needsKey: true, isCertain: false };
    }
    case 'null?': {
      const isWanted = value !== false && value !== null;
      const test: JsonTest = (json) =>
        isWanted ? dialect.equalsJson(json, 'null') : fragment`not (${dialect.equalsJson(json, 'null')})`;
      return { test, needsKey: false, isCertain: false };
    }
    default:
      return undefined;
  }
}

function comparable(comparison: Comparison, value: Json): number | string | boolean {
  if (value !== null && typeof value !== 'object') return value;
  throw new QueryError(
    `Argument ${JSON.stringify(value)} and operator "${comparison}" have incompatible types.`,
  );
}

/**
 * The negation of one question: the reference's leaves out who lacks the key, as the question itself does.
 *
 * @returns `undefined` for all other conditions, whose negation is the usual one
 */
export function negatedQuestion(
  clause: unknown,
  entity: Entity,
  dialect: QueryDialect,
): Fragment | undefined {
  if (!isClause(clause) || clause.length !== 3) return undefined;
  const [operator, name, value = null] = clause;
  if (typeof name !== 'string' || !name.includes('.')) return undefined;
  const field = findField(entity, name);
  if (field?.kind !== 'json') return undefined;
  const question = jsonQuestion(printed(operator), value, field.access, dialect);
  if (question === undefined || question.isCertain) return undefined;
  return field.access.unless(question.test, question.needsKey);
}

/** @throws Error for an operator that asks nothing */
export function askJson(
  operator: string,
  value: Json,
  access: DottedAccess,
  dialect: QueryDialect,
): Fragment {
  const question = jsonQuestion(operator, value, access, dialect);
  if (question === undefined) throw new Error(`${operator} asks nothing of JSON`);
  return access.where(question.test, question.needsKey);
}
