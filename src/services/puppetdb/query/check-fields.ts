/**
 * What the reference checks first: whether the fields of a query are there. All mistakes of one level are told together; those of a
 * subquery come alone, and before those of the outer query.
 */

import { type Clause, isClause, type Json, nameIn, printed } from './ast.ts';
import { clojurePrinted, clojureText } from './clojure-text.ts';
import { type Entity, findColumn, labelOf, queryableNames, returnedColumns } from './entity.ts';
import { dottedAccess } from './field.ts';
import { queryFunctions } from './functions/index.ts';
import { QueryError, quotedList } from './query-error.ts';

/** The entity of a subquery; `undefined` when there is none of the name. */
export type FindEntity = (name: string) => Entity | undefined;

const comparisons = new Set(['=', '~', '>', '<', '>=', '<=']);
const logical = new Set(['and', 'or', 'not', 'group_by']);
const operatorNames = new Set([
  ...comparisons,
  ...logical,
  '~>',
  'from',
  'in',
  'extract',
  'subquery',
  'function',
  'null?',
]);

/**
 * @param entity - `undefined` for one that there is not: it has no fields
 * @returns the same with its operators in lower case
 * @throws QueryError with one line for each mistake
 */
export function checkFields(entity: Entity | undefined, query: Json, find: FindEntity): Json {
  const check: Check = { entity, find, mistakes: [] };
  const checked = checkNode(query, check);
  if (check.mistakes.length > 0) throw refusal(check);
  return checked;
}

/** An answer lists no more mistakes: with all of them, a query of 0.5 MB got an answer of 10 MB. */
const mostMistakes = 100;

function note(mistake: string, check: Check): void {
  check.mistakes.push(mistake);
  if (check.mistakes.length >= mostMistakes) throw refusal(check);
}

function refusal({ mistakes }: Check): QueryError {
  return new QueryError(mistakes.join('\n'));
}

interface Check {
  readonly entity: Entity | undefined;
  readonly find: FindEntity;
  readonly mistakes: string[];
}

function checkNode(node: Json, check: Check): Json {
  if (!isClause(node)) return node;
  const inner = checkSubquery(node, check);
  if (inner !== undefined) return inner;
  const mistake = mistakeOf(node, check);
  if (mistake !== undefined) note(mistake, check);
  const [operator, ...others] = node;
  const lowered = typeof operator === 'string' && isOperator(operator.toLowerCase(), check.find);
  const name = lowered ? operator.toLowerCase() : checkNode(operator ?? null, check);
  return node.length === 0 ? node : [name, ...others.map((each) => checkNode(each, check))];
}

function isOperator(name: string, find: FindEntity): boolean {
  return operatorNames.has(name) || selected(name, find) !== undefined;
}

/** The entity of `select_facts`. */
function selected(name: Json | undefined, find: FindEntity): Entity | undefined {
  return typeof name === 'string' && name.startsWith('select_')
    ? find(name.slice('select_'.length))
    : undefined;
}

/** @returns the node, whose subquery has been checked; `undefined` without one */
function checkSubquery(node: Clause, check: Check): Clause | undefined {
  const { find } = check;
  const [operator, subject, query, ...others] = node;
  if (operator === 'from' && query !== undefined) {
    return [operator, subject ?? null, checkFields(find(nameIn(subject)), query, find), ...others];
  }
  if (operator === 'subquery' && node.length === 3) {
    return [operator, subject ?? null, checkFields(find(nameIn(subject)), query ?? null, find)];
  }
  if (operator !== 'extract' || node.length !== 3 || !isClause(query) || query.length !== 2) return undefined;
  const [name, inner = null] = query;
  const entity = selected(name, find);
  if (entity === undefined) {
    if (typeof name === 'string' && logical.has(name)) return undefined;
    note(unsupported(printed(name), find), check);
    return node;
  }
  const checked = checkFields(entity, inner, find);
  const mistake = unknownFields(subject ?? null, entity, queryableNames(entity), extracting);
  if (mistake !== undefined) note(mistake, check);
  return [operator, subject ?? null, [name ?? null, checked]];
}

function unsupported(name: string, find: FindEntity): string {
  const meant = name.replaceAll('-', '_');
  const hint = meant === name || selected(meant, find) === undefined ? '' : ` - did you mean \`${meant}\`?`;
  return `Unsupported subquery \`${name}\`${hint}`;
}

function mistakeOf(node: Clause, { entity, find }: Check): string | undefined {
  const [operator, field = null, argument] = node;
  const name = nameIn(operator);
  if (comparisons.has(name) && node.length === 3) {
    return field === 'node_state' ? undefined : unqueryable(field, entity);
  }
  if (name === 'extract' && node.length > 1) {
    const known = entity === undefined ? [] : returnedColumns(entity).map((column) => column.name);
    return unknownFields(field, entity, known, extracting) ?? strangeFilter(node.slice(2), find);
  }
  if (name !== 'in' || node.length < 2) return undefined;
  if (node.length === 3 && isClause(argument) && argument.length === 2 && argument[0] === 'array') {
    return unqueryable(field, entity);
  }
  return unknownFields(field, entity, queryableNames(entity ?? nothing), matching);
}

const nothing: Entity = { name: 'null', source: '', columns: [] };

function unqueryable(field: Json, entity: Entity = nothing): string | undefined {
  if (isClause(field)) return undefined;
  const name = clojureText(field);
  const column = findColumn(entity, name);
  if (column !== undefined && column.isQueryable !== false) return undefined;
  if (name.includes('.') && isDotted(entity, name)) return undefined;
  const names = queryableNames(entity);
  const known =
    names.length === 0
      ? `Entity ${labelOf(entity)} has no queryable objects`
      : `Known queryable objects are ${quotedList(names)}`;
  return `'${name}' is not a queryable object for ${labelOf(entity)}. ${known}`;
}

/** Anything behind the dot will do. */
function isDotted({ dottedRoots = [] }: Entity, name: string): boolean {
  return dottedRoots.some((root) => name.startsWith(`${root}.`));
}

/** What fields are named for. */
interface Use {
  readonly complaint: string;
  readonly place: string;
  /** Whether `facts.os.family` will do. */
  readonly takesDots: boolean;
}

const extracting: Use = { complaint: "Can't extract", place: '', takesDots: true };
const matching: Use = { complaint: "Can't match on", place: " for 'in'", takesDots: false };

function unknownFields(
  fields: Json,
  entity: Entity = nothing,
  known: readonly string[],
  { complaint, place, takesDots }: Use,
): string | undefined {
  const unknown = (isClause(fields) ? fields : [fields]).filter(
    (field) => !isKnown(field, entity, known, takesDots),
  );
  if (unknown.length === 0) return undefined;
  const word = unknown.length > 1 ? 'fields' : 'field';
  return (
    `${complaint} unknown '${labelOf(entity)}' ${word} ${quotedList(unknown.map(clojureText))}${place}. ` +
    `Acceptable fields are ${quotedList(known)}`
  );
}

function isKnown(field: Json, entity: Entity, known: readonly string[], takesDots: boolean): boolean {
  if (isClause(field)) return field[0] === 'function' && queryFunctions.has(printed(field[1]));
  if (typeof field !== 'string') return false;
  if (known.includes(field)) return true;
  return takesDots && field.includes('.') && dottedAccess(entity, field) !== undefined;
}

/** An operator that there is not, anywhere in conditions that are put together. */
function strangeFilter(clauses: readonly Json[], find: FindEntity): string | undefined {
  for (const clause of clauses) {
    if (!isClause(clause)) continue;
    const [operator] = clause;
    const name = nameIn(operator);
    if (name === 'and' || name === 'or') {
      const inner = strangeFilter(clause, find);
      if (inner !== undefined) return inner;
    } else if (clause.length > 0 && !isOperator(name, find)) {
      return `${clojurePrinted(clause)} is not a valid expression for "extract"`;
    }
  }
  return undefined;
}
