/** `avg`, `sum`, `min` and `max` of numbers; `min` and `max` of text and times, too. */

import type { QueryDialect } from '../dialect.ts';
import { resolveField } from '../field.ts';
import { type Fragment, fragment, raw } from '../fragment.ts';
import { QueryError } from '../query-error.ts';
import type { QueryFunction } from './query-function.ts';

export function aggregate(name: 'avg' | 'sum' | 'min' | 'max'): QueryFunction {
  return ([argument], entity, dialect) => {
    const field = resolveField(entity, argument);
    if (field.kind === 'json') return ofJson(name, field.access.value, dialect);
    if (field.kind === 'node-state') throw missing(name, 'unknown');
    const { kind, sql } = field.column;
    if (kind === 'multi' || kind === 'json') return ofJson(name, raw(sql), dialect);
    const isNumeric = kind === 'integer';
    const isOrdered = name === 'min' || name === 'max';
    if (isNumeric || (isOrdered && (kind === 'text' || kind === 'timestamp'))) {
      return { kind: isNumeric ? 'number' : kind, sql: raw(`${name}(${sql})`) };
    }
    throw missing(name, kind === 'timestamp' ? 'timestamp with time zone' : kind);
  };
}

function ofJson(name: string, json: Fragment, dialect: QueryDialect): ReturnType<QueryFunction> {
  return { kind: 'number', sql: dialect.plainNumber(fragment`${raw(name)}(${dialect.number(json)})`) };
}

function missing(name: string, type: string): QueryError {
  return new QueryError(`ERROR: function ${name}(${type}) does not exist`, 500);
}
