/** `["in", fields, ["array", values]]` and `["in", fields, subquery]` */

import { type Clause, isClause, type Json, printed } from '../ast.ts';
import { labelOf, queryableNames } from '../entity.ts';
import { type Field, findField } from '../field.ts';
import { always, chained, type Fragment, fragment, joined, never, raw } from '../fragment.ts';
import { jsonEquals } from '../json-condition.ts';
import { notAnOperator, QueryError, quotedList } from '../query-error.ts';
import { columnEquals } from './equals.ts';
import type { Operator, OperatorContext, Selection } from './operator.ts';

export const within: Operator = (clause, context) => {
  const [, names, source] = clause;
  if (clause.length !== 3 || !isClause(source)) throw notAnOperator();
  if (source[0] === 'array') return inArray(names ?? null, source, context);
  const fields = fieldNames(names ?? null).map((name) => matchable(name, context));
  return inSelection(fields, selectionOf(source, context), context);
};

function inArray(names: Json, source: Clause, context: OperatorContext): Fragment {
  const [name, ...others] = fieldNames(names);
  const values = source[1];
  if (!isClause(values)) throw new QueryError('Operator array requires a vector argument');
  const field = others.length === 0 ? findField(context.entity, name) : undefined;
  if (field === undefined) throw new QueryError('Value does not match schema: (not (map? nil))', 500);
  if (values.length === 0) return never;
  if (field.kind === 'column' && field.column.kind === 'text') {
    return context.dialect.oneOf(raw(field.column.sql), values.map(printed));
  }
  return chained(
    values.map((value) => isElement(field, value, context)),
    'or',
  );
}

function isElement(field: Field, value: Json, { dialect }: OperatorContext): Fragment {
  switch (field.kind) {
    case 'json':
      return field.access.where((json) => jsonEquals(dialect, json, value));
    case 'column':
      if (field.column.kind === 'list') {
        throw new QueryError('Operator in...array is not supported on array types');
      }
      if (field.column.kind === 'tags' || field.column.isSerialized === true) throw notAnOperator();
      return columnEquals(dialect, field.column, value);
    case 'node-state':
      return always;
    default:
      return field satisfies never;
  }
}

/** A field that is a pair (`["fact", "kernel"]`) or a list of fields. */
function fieldNames(names: Json): readonly Json[] {
  if (!isClause(names)) return [names];
  const isPair =
    names.length === 2 && (names[0] === 'fact' || names[0] === 'parameter' || names[0] === 'node');
  return isPair ? [names] : names;
}

function matchable(name: Json, { entity, dialect }: OperatorContext): Fragment {
  const field = findField(entity, name);
  if (field?.kind === 'column') return raw(field.column.sql);
  if (field?.kind === 'json') return dialect.text(field.access.value);
  throw new QueryError(
    `Can't match on unknown '${labelOf(entity)}' field '${printed(name)}' for 'in'. Acceptable fields are ` +
      quotedList(queryableNames(entity)),
  );
}

/** `["extract", fields, ["select_facts", ...]]` or `["from", "facts", ["extract", ...]]` */
function selectionOf(source: Clause, context: OperatorContext): Selection {
  const [operator] = source;
  if (operator === 'from') {
    const [, entityName, ...rest] = source;
    const clauses = rest.filter(isClause);
    const query = clauses.find(([name]) => name !== 'limit' && name !== 'offset' && name !== 'order_by');
    return context.selection(
      printed(entityName),
      query,
      clauses.filter((item) => item !== query),
    );
  }
  const [, fields, inner] = source;
  if (operator !== 'extract' || !isClause(inner)) throw notAnOperator();
  const select = printed(inner[0]);
  if (!select.startsWith('select_')) return context.selection(context.entity.name, source, []);
  const entityName = select.slice('select_'.length).replaceAll('-', '_');
  if (context.entityNamed(entityName) === undefined) {
    throw new QueryError(`Unsupported subquery \`${select}\``);
  }
  const query: Clause =
    inner[1] === undefined ? ['extract', fields ?? null] : ['extract', fields ?? null, inner[1]];
  return context.selection(entityName, query, []);
}

/** Where the subquery gives more than is matched, its first columns count. */
function inSelection(
  fields: readonly Fragment[],
  { sql, columns }: Selection,
  { entity }: OperatorContext,
): Fragment {
  if (fields.length > columns) {
    throw new QueryError(
      `Subquery of 'in' on ${labelOf(entity)} has ${columns} fields, not ${fields.length}`,
    );
  }
  const left = fields.length === 1 ? joined(fields, '') : fragment`(${joined(fields, ', ')})`;
  if (columns === fields.length) return fragment`${left} in (${sql})`;
  const kept = raw(fields.map((_, index) => `c${index}`).join(', '));
  return fragment`${left} in (select ${kept} from (${sql}) wider)`;
}
