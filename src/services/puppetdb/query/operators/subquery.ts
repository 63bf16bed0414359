/** `["subquery", entity, condition]`: the entities know how they are related. */

import { type Clause, isClause, printed } from '../ast.ts';
import { type Entity, findColumn, type Relation } from '../entity.ts';
import { fragment, joined, raw } from '../fragment.ts';
import { notAnOperator, QueryError } from '../query-error.ts';
import type { Operator } from './operator.ts';

export const subquery: Operator = (clause, { entity, selection, entityNamed }) => {
  const [, name, query] = clause;
  if (clause.length !== 3) throw notAnOperator();
  const foreign = entityNamed(printed(name));
  if (foreign === undefined || foreign.bareColumn !== undefined) {
    const field = isClause(query) ? printed(query[1]) : '';
    throw new QueryError(
      `'${field}' is not a queryable object for null. Entity null has no queryable objects`,
    );
  }
  const relation = relationBetween(entity, foreign);
  if (relation === undefined) {
    // A condition that the other entity does not understand is the first thing to say. It is compiled once in either case:
    // compiling it twice at each level would take 2^depth steps.
    if (!isEmpty(query)) selection(foreign.name, ['extract', firstColumn(foreign), query ?? null], []);
    throw new QueryError(`No implicit relationship for entity '${foreign.name}'`);
  }
  const { local, foreign: theirs } = relation;
  const extraction: Clause = isEmpty(query) ? ['extract', theirs] : ['extract', theirs, query ?? null];
  const columns = local.map((column) => raw(findColumn(entity, column)?.sql ?? column));
  const left = columns.length === 1 ? joined(columns, '') : fragment`(${joined(columns, ', ')})`;
  return fragment`${left} in (${selection(foreign.name, extraction, []).sql})`;
};

function firstColumn({ columns }: Entity): string {
  return columns.find(({ isReturned }) => isReturned !== false)?.name ?? '';
}

function isEmpty(query: unknown): boolean {
  return query === null || query === undefined || (isClause(query) && query.length === 0);
}

/** What an entity says itself comes before what all that belongs to nodes has in common. */
function relationBetween(entity: Entity, other: Entity): Relation | undefined {
  const own = entity.relations?.[other.name];
  if (own !== undefined) return own;
  const hasNode = findColumn(other, 'certname') !== undefined && other.name !== 'package_inventory';
  return entity.isOfNode === true && hasNode ? { local: ['certname'], foreign: ['certname'] } : undefined;
}
