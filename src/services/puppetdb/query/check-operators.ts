/** What the reference checks when all fields are there: whether operators are used as they may be, the innermost first. */

import { type Clause, isClause, type Json, nameIn } from './ast.ts';
import type { FindEntity } from './check-fields.ts';
import { clojureText } from './clojure-text.ts';
import { type Column, type Entity, findColumn } from './entity.ts';
import { QueryError } from './query-error.ts';

const simple = new Set(['=', '>', '<', '>=', '<=', '~', '~>']);
const ordering = new Set(['>', '<', '>=', '<=']);

/** @throws QueryError with the first mistake */
export function checkOperators(entity: Entity | undefined, node: Json, find: FindEntity): void {
  if (!isClause(node)) return;
  for (const part of node) checkOperators(entityWithin(node, entity, find), part, find);
  checkPair(node);
  checkRelation(node, entity);
  checkOperator(node, entity);
}

/** Subqueries are about another entity. */
function entityWithin(node: Clause, entity: Entity | undefined, find: FindEntity): Entity | undefined {
  const [operator, subject] = node;
  if (operator === 'from' || operator === 'subquery') return find(nameIn(subject));
  return typeof operator === 'string' && operator.startsWith('select_')
    ? find(operator.slice('select_'.length))
    : entity;
}

/** `["=", ["fact", "kernel"], value]` */
function checkPair([operator, field, value = null]: Clause): void {
  if (!isClause(field) || field.length !== 2 || field[0] !== 'fact') return;
  const name = nameIn(operator);
  if (name === 'in' && isClause(value) && value[0] === 'array') {
    const kinds = new Set((isClause(value[1]) ? value[1] : []).map(kindOf));
    if (kinds.size !== 1) throw new QueryError("All values in 'array' must be the same type.");
  }
  const isText = typeof value === 'string' || typeof value === 'boolean';
  if ((name === '=' || name === '~') && isText) return;
  if ((name === '=' || ordering.has(name)) && typeof value !== 'number') {
    throw new QueryError(`Operator '${name}' not allowed on value '${clojureText(value)}'`);
  }
}

function kindOf(value: Json): string {
  return typeof value === 'number' ? `number ${Number.isInteger(value)}` : typeof value;
}

function checkRelation([operator, name]: Clause, entity: Entity | undefined): void {
  if (operator !== 'subquery' || entity === undefined) return;
  if (entity.relations?.[nameIn(name)] !== undefined) return;
  if (entity.isOfNode === true && relatedByNode.has(nameIn(name))) return;
  throw new QueryError(`No implicit relationship for entity '${clojureText(name)}'`);
}

/** What everything that is of a node is related to, by the certname. */
export const relatedByNode: ReadonlySet<string> = new Set([
  'catalog_input_contents',
  'catalog_inputs',
  'catalogs',
  'edges',
  'events',
  'fact_contents',
  'facts',
  'factsets',
  'inventory',
  'nodes',
  'reports',
  'resources',
]);

function checkOperator(node: Clause, entity: Entity | undefined): void {
  const [operator, field = null, value = null] = node;
  const given = node.length - 1;
  switch (operator) {
    case 'and':
      if (given === 0) throw new QueryError("'and' takes at least one argument, but none were supplied");
      if (node.some((part) => isClause(part) && part.length === 0)) throw emptyClause();
      return;
    case 'or':
      if (given === 0) throw new QueryError("'or' takes at least one argument, but none were supplied");
      return;
    case 'not':
      if (given === 1) return;
      throw new QueryError(`'not' takes exactly one argument, but ${given} were supplied`);
    default:
  }
  const name = nameIn(operator);
  if (!simple.has(name)) return;
  if (given !== 2) throw new QueryError(`${name} requires exactly two arguments`);
  const column = entity === undefined ? undefined : findColumn(entity, nameIn(field));
  if (checkedByKind(name, field, value, column)) return;
  if (!isField(field) || !isValue(value)) throw new QueryError(`Invalid ${name} clause`);
}

export function emptyClause(): QueryError {
  return new QueryError('[] is not well-formed: queries must contain at least one operator');
}

/** @returns whether nothing more is looked at */
function checkedByKind(name: string, field: Json, value: Json, column: Column | undefined): boolean {
  if (name === '=') {
    if (column?.kind === 'integer' && typeof value === 'string') {
      throw new QueryError(`Argument "${value}" is incompatible with numeric field "${column.name}".`);
    }
    return true;
  }
  if (name === '~>') {
    if (column?.kind === 'path') return true;
    throw new QueryError(`Query operator ~> is not allowed on field ${column?.label ?? clojureText(field)}`);
  }
  if (!ordering.has(name) || typeof field !== 'string' || field.includes('.')) return false;
  const isOrdered = column?.kind === 'integer' || column?.kind === 'timestamp' || column?.kind === 'multi';
  if (isOrdered && column.isComparable !== false) return true;
  const shown = column?.label ?? field;
  throw new QueryError(`Query operators >,>=,<,<= are not allowed on field ${shown}`);
}

function isField(field: Json): boolean {
  if (typeof field === 'string') return true;
  return isClause(field) && (field.length === 2 || field[0] === 'function');
}

function isValue(value: Json): boolean {
  if (isClause(value)) return value.every((part) => typeof part === 'string' || Number.isInteger(part));
  return value !== null && typeof value !== 'object';
}
