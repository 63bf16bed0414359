/** `["function", "count"]` counts rows, with a field those where it is not null. */

import { findField } from '../field.ts';
import { fragment, raw } from '../fragment.ts';
import type { QueryFunction } from './query-function.ts';

export const count: QueryFunction = ([name], entity, dialect) => {
  if (name === undefined) return { kind: 'number', sql: raw('count(*)') };
  const field = findField(entity, name);
  if (field?.kind === 'column') return { kind: 'number', sql: raw(`count(${field.column.sql})`) };
  if (field?.kind === 'json') {
    return { kind: 'number', sql: fragment`count(${dialect.text(field.access.value)})` };
  }
  return { kind: 'number', sql: raw('0') };
};
