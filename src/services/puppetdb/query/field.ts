/** What the first argument of an operator means for an entity. */

import { type Json, printed } from './ast.ts';
import type { Column, DottedAccess, DottedPath, Entity } from './entity.ts';
import { findColumn, labelOf, queryableNames } from './entity.ts';
import { QueryError, quotedList } from './query-error.ts';

export type Field =
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'json'; readonly access: DottedAccess }
  | { readonly kind: 'node-state' };

/** @throws QueryError naming what could have been asked */
export function resolveField(entity: Entity, field: Json | undefined): Field {
  const found = findField(entity, field);
  if (found !== undefined) return found;
  const names = queryableNames(entity);
  const known =
    names.length === 0
      ? `Entity ${labelOf(entity)} has no queryable objects`
      : `Known queryable objects are ${quotedList(names)}`;
  throw new QueryError(`'${printed(field)}' is not a queryable object for ${labelOf(entity)}. ${known}`);
}

export function findField(entity: Entity, field: Json | undefined): Field | undefined {
  if (Array.isArray(field)) return pairField(entity, field);
  if (typeof field !== 'string') return undefined;
  if (field === 'node_state' && entity.nodeAlias !== undefined) return { kind: 'node-state' };
  const column = findColumn(entity, field);
  if (column !== undefined) return column.isQueryable === false ? undefined : { kind: 'column', column };
  const access = field.includes('.') ? dottedAccess(entity, field) : undefined;
  return access === undefined ? undefined : { kind: 'json', access };
}

function pairField(entity: Entity, pair: readonly Json[]): Field | undefined {
  const [kind, name] = pair;
  if (pair.length !== 2 || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  if (kind === 'node' && name === 'active' && entity.nodeAlias !== undefined) return { kind: 'node-state' };
  const { pairs = {} } = entity;
  const access = Object.hasOwn(pairs, kind) ? pairs[kind]?.(name) : undefined;
  return access === undefined ? undefined : { kind: 'json', access };
}

export function dottedAccess(entity: Entity, field: string): DottedAccess | undefined {
  const path = parseDotted(field);
  const access = path && entity.dotted?.(path);
  if (path === undefined || access === undefined) return undefined;
  return { ...access, isIndexed: path.keys.some((key) => typeof key === 'number') };
}

const component = /^(?:match\("(.*)"\)|"((?:[^"]|"(?!\.|\[|$))*)"|([^."[\]][^.[\]]*))((?:\[\d+\])*)(?:\.|$)/s;

/**
 * `facts.os."a.b".models[0]`, `facts.match("ip.*")`
 *
 * @returns `undefined` when it is not of that form
 * @throws QueryError for an index that is too large
 */
export function parseDotted(field: string): DottedPath | undefined {
  const keys: (string | number)[] = [];
  let isPattern = false;
  let rest = field;
  while (rest !== '') {
    const match = component.exec(rest);
    if (match === null) return undefined;
    const [whole, pattern, quoted, plain, indexes = ''] = match;
    isPattern ||= pattern !== undefined;
    keys.push(pattern ?? quoted ?? plain ?? '');
    for (const [, index = ''] of indexes.matchAll(/\[(\d+)\]/g)) keys.push(indexOf(index));
    rest = rest.slice(whole.length);
  }
  const [root, ...others] = keys;
  return typeof root === 'string' && others.length > 0 ? { root, keys: others, isPattern } : undefined;
}

/** No array has more elements, and databases know no larger index. */
const mostIndex = 2 ** 31 - 1;

/** @throws QueryError in the reference's words */
function indexOf(digits: string): number {
  const index = Number(digits);
  if (index > mostIndex) throw new QueryError(`For input string: "${digits}"`);
  return index;
}
