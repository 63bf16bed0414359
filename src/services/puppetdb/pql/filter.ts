/** The conditions of PQL: `certname ~ "web" and !(x = 1 or facts { ... })`. */

import { type Clause, type Json, printed } from '../query/ast.ts';
import { pqlEntities } from './entities.ts';
import { readList } from './list.ts';
import { expectedLiterals, readLiteral, readOrdered, readString } from './literal.ts';
import { readField } from './projection.ts';
import { type Reader, space } from './reader.ts';

/** Reads an entity with its projection and braces, from the place after the entity's name. */
export type ReadQuery = (reader: Reader, entity: string) => QueryParts;

export interface QueryParts {
  readonly projection: readonly Json[] | undefined;
  readonly filter: Clause | undefined;
  readonly groupBy: Clause | undefined;
  readonly paging: readonly Clause[];
}

const comparisonOperators = ['!~', '!=', '>=', '<=', '~>', '=', '>', '<', '~'] as const;
export const expectedOperators = ['in', '!~', '!=', '=', '>', '<', '<=', '>=', '~>', '~'] as const;

const entityPattern = new RegExp(`(${pqlEntities.join('|')})(?=\\s*[{\\[])`, 'y');

export function takeEntity(reader: Reader): string | undefined {
  return reader.takePattern(entityPattern)?.[1];
}

export function readFilter(reader: Reader, readQuery: ReadQuery): Clause {
  return readChain(reader, 'or', () => readChain(reader, 'and', () => readCondition(reader, readQuery)));
}

/** One condition alone is itself. */
function readChain(reader: Reader, word: 'and' | 'or', readPart: () => Clause): Clause {
  const parts = [readPart()];
  for (;;) {
    const before = reader.position;
    reader.skipSpace();
    if (!reader.takeWord(word)) {
      reader.position = before;
      break;
    }
    reader.expect(space);
    const hadSpace = reader.skipSpace();
    if (!hadSpace && reader.text.charAt(reader.position) !== '(') throw reader.failure();
    parts.push(readPart());
  }
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : [word, ...parts];
}

function readCondition(reader: Reader, readQuery: ReadQuery): Clause {
  reader.skipSpace();
  reader.expect('[', '(', '!');
  if (reader.take('!')) return ['not', readCondition(reader, readQuery)];
  if (reader.take('(')) {
    const inner = readFilter(reader, readQuery);
    reader.skipSpace();
    reader.expect(')');
    if (!reader.take(')')) throw reader.failure();
    return inner;
  }
  if (reader.take('[')) return readIn(reader, readList(reader, readField, ']'), readQuery);
  const entity = takeEntity(reader);
  if (entity !== undefined) {
    const { filter } = readQuery(reader, entity);
    return filter === undefined ? ['subquery', entity, []] : ['subquery', entity, filter];
  }
  return readComparison(reader, readField(reader), readQuery);
}

function readComparison(reader: Reader, field: string, readQuery: ReadQuery): Clause {
  const hadSpace = reader.skipSpace();
  reader.expect('is not null', 'is null', ...(hadSpace ? [] : [space]), ...expectedOperators);
  if (reader.takeWord('is not null')) return ['null?', field, false];
  if (reader.takeWord('is null')) return ['null?', field, true];
  if (/in(?![A-Za-z0-9_])/y.test(reader.text.slice(reader.position, reader.position + 3))) {
    return readIn(reader, field, readQuery);
  }
  const operator = comparisonOperators.find((candidate) => reader.take(candidate));
  if (operator === undefined) throw reader.failure();
  reader.skipSpace();
  if (operator === '~>') return ['~>', field, readArray(reader)];
  if (operator === '~') return ['~', field, readString(reader)];
  if (/^[<>]/.test(operator)) return [operator, field, readOrderedValue(reader)];
  reader.expect('[');
  const value = readLiteral(reader);
  if (operator === '!=' || operator === '!~') return ['not', [operator.slice(1), field, value]];
  return [operator, field, value];
}

function readOrderedValue(reader: Reader): Json {
  reader.expect('#"[0-9]+"', '-', "'", '"');
  return readOrdered(reader);
}

function readIn(reader: Reader, fields: Json, readQuery: ReadQuery): Clause {
  reader.skipSpace();
  reader.expect('in');
  if (!reader.takeWord('in')) throw reader.failure();
  reader.skipSpace();
  const entity = takeEntity(reader);
  if (entity === undefined) return ['in', fields, ['array', readArray(reader)]];
  return ['in', fields, fromClause(entity, readQuery(reader, entity))];
}

function readArray(reader: Reader): readonly Json[] {
  reader.expect('[');
  if (!reader.take('[')) throw reader.failure();
  reader.expect('[', ...expectedLiterals, space);
  return readList(reader, readLiteral, ']');
}

/** `["from", entity, ["extract", fields, condition, group], paging...]` */
export function fromClause(entity: string, { projection, filter, groupBy, paging }: QueryParts): Clause {
  const conditions = [filter, groupBy].filter((clause) => clause !== undefined);
  const query =
    projection === undefined ? conditions : [['extract', projection, ...conditions] satisfies Clause];
  return ['from', printed(entity), ...query, ...paging];
}
