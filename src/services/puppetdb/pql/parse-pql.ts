/** From PQL to the query language that everything else knows. */

import type { Clause, Json } from '../query/ast.ts';
import { pqlEntities } from './entities.ts';
import { expectedOperators, fromClause, type QueryParts, readFilter, takeEntity } from './filter.ts';
import { readField, readProjected, readProjection } from './projection.ts';
import { Reader, space } from './reader.ts';

/** As the reference prints that nothing but space may follow. */
const endOfQuery = `${space} (followed by end-of-string):end-of-string`;

const modifiers = /(?:limit|offset|order\s+by|group\s+by)(?![A-Za-z0-9_?])/y;

/**
 * `nodes[certname] { certname ~ "web" limit 2 }` ->
 * `["from", "nodes", ["extract", ["certname"], ["~", "certname", "web"]], ["limit", 2]]`
 *
 * @throws QueryError with line, column and what was expected
 */
export function parsePql(text: string): Clause {
  const reader = new Reader(text);
  reader.skipSpace();
  const entity = takeEntity(reader) ?? bareEntity(reader);
  const query = fromClause(entity, readQuery(reader));
  reader.expect(endOfQuery);
  if (text.slice(reader.position).trim() !== '') throw reader.failure();
  return query;
}

/** An entity that nothing follows: the error is about what is missing. */
function bareEntity(reader: Reader): string {
  reader.expect(...pqlEntities, space);
  const name = pqlEntities.find((candidate) => reader.take(candidate));
  if (name === undefined) throw reader.failure();
  return name;
}

function readQuery(reader: Reader): QueryParts {
  const hadSpace = reader.skipSpace();
  reader.expect('{', ...(hadSpace ? [] : [space]), '[');
  const projection = reader.take('[') ? readProjection(reader) : undefined;
  const hadSpaceAgain = reader.skipSpace();
  reader.expect('{', ...(hadSpaceAgain ? [] : [space]));
  if (!reader.take('{')) throw reader.failure();
  const body = readBody(reader);
  return { projection, ...body };
}

function readBody(reader: Reader): Omit<QueryParts, 'projection'> {
  const hadSpace = reader.skipSpace();
  const end = ['}', 'order by', 'offset', 'limit'];
  reader.expect(...end, 'group by', ...pqlEntities, 'parameters', 'trusted', '#"[a-zA-Z0-9_]+\\??"');
  reader.expect('[', '(', '!', ...(hadSpace ? [] : [space]));
  let filter: Clause | undefined;
  if (!startsModifier(reader) && reader.text.charAt(reader.position) !== '}') {
    filter = readFilter(reader, readQuery);
  }
  const before = reader.position;
  const spaced = reader.skipSpace();
  if (spaced) reader.expect('}', space, 'order by', 'offset', 'limit', 'group by', 'or', 'and');
  else if (before > 0) reader.expect(...end, 'group by', space);
  if (reader.takeWord('group by')) {
    const groupBy: Clause = ['group_by', ...readItems(reader, readProjected)];
    reader.skipSpace();
    reader.expect('}', space, ',');
    if (!reader.take('}')) throw reader.failure();
    return { filter, groupBy, paging: [] };
  }
  const paging: Clause[] = [];
  for (;;) {
    const isSpaced = reader.skipSpace();
    if (reader.take('}')) return { filter, groupBy: undefined, paging };
    reader.expect(...(isSpaced ? ['}', space, 'order by', 'offset', 'limit'] : [...end, space]));
    paging.push(readModifier(reader, filter === undefined && paging.length === 0));
  }
}

function startsModifier(reader: Reader): boolean {
  modifiers.lastIndex = reader.position;
  if (!modifiers.test(reader.text)) return false;
  // `limit = 1` would be a field of that name.
  return !/^(?:limit|offset)\s*[=<>~!]/.test(reader.text.slice(reader.position));
}

/** @param mayBeField - what begins like a modifier may be a field of that name */
function readModifier(reader: Reader, mayBeField: boolean): Clause {
  for (const word of ['limit', 'offset'] as const) {
    if (reader.takeWord(word)) return [word, readInteger(reader, mayBeField)];
  }
  if (reader.takeWord('order by')) return ['order_by', readItems(reader, readOrder)];
  throw reader.failure();
}

function readInteger(reader: Reader, mayBeField: boolean): number {
  reader.skipSpace();
  reader.expect('#"[0-9]+"', '-');
  if (mayBeField) reader.expect('is not null', 'is null', ...expectedOperators);
  const digits = reader.takePattern(/-?\d+/y);
  if (digits === undefined) throw reader.failure();
  return Number(digits[0]);
}

function readItems(reader: Reader, readItem: (reader: Reader) => Json): readonly Json[] {
  const items: Json[] = [];
  do {
    reader.expect(space);
    if (!reader.skipSpace() && items.length === 0) throw reader.failure();
    items.push(readItem(reader));
    const before = reader.position;
    reader.skipSpace();
    if (reader.text.charAt(reader.position) !== ',') reader.position = before;
  } while (reader.take(','));
  return items;
}

function readOrder(reader: Reader): Json {
  const field = readField(reader);
  const before = reader.position;
  reader.skipSpace();
  for (const direction of ['asc', 'desc'] as const) {
    if (reader.takeWord(direction)) return [field, direction];
  }
  reader.position = before;
  return field;
}
