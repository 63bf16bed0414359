/** Type aliases, and the forms of type definitions that the language reserves. */

import type {
  AccessExpression,
  Definition,
  Expression,
  KeyedEntry,
  LiteralHash,
  QualifiedReference,
} from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parseAccessKeys } from './parse-arguments.ts';
import { parseType, parseTypeName } from './parse-parameters.ts';
import { parsePrimary } from './parse-primary.ts';
import { parseBody } from './parse-statements.ts';
import type { Parser } from './parser.ts';

/** Grammar: `'type' (Name ('inherits' Name)? '{' ... '}' | type '=' (type hash? | hash | array))`. */
export function parseTypeDefinition(parser: Parser): Definition {
  const offset = parser.expect(Token.type);
  const left = parseType(parser);
  const isName = left.kind === 'QualifiedReference';
  const isDefinition = isName && (parser.kind === Token.lBrace || parser.kind === Token.inherits);
  const definition = isDefinition ? parseTypeBody(parser, left.value, offset) : parseAlias(parser, left);
  parser.definitions.push(definition);
  return definition;
}

function parseTypeBody(parser: Parser, name: string, offset: number): Definition {
  const parent = parser.accept(Token.inherits) ? parseTypeName(parser).value : undefined;
  const body = parseBody(parser, offset);
  return { kind: 'TypeDefinition', offset, length: parser.previousEnd - offset, name, parent, body };
}

/** The definition stands where the name does, behind the word `type`. */
function parseAlias(parser: Parser, left: Expression): Definition {
  const { offset } = left;
  parser.expect(Token.equals);
  const right = parseAliased(parser, offset);
  const length = parser.previousEnd - offset;
  if (left.kind === 'QualifiedReference') {
    const typeExpr = right.kind === 'KeyedEntry' ? extended(right) : objectOf(right, offset);
    return { kind: 'TypeAlias', offset, length, name: left.value, typeExpr };
  }
  const mappingExpr = right.kind === 'KeyedEntry' ? extended(right) : right;
  return { kind: 'TypeMapping', offset, length, typeExpr: left, mappingExpr };
}

/** What an alias stands for; `Parent { ... }` as the entry `Parent => { ... }`. */
interface Extension extends KeyedEntry {
  readonly key: QualifiedReference;
  readonly value: LiteralHash;
}

/** A type with arguments stands where the whole definition does; `owner` is that offset. */
function parseAliased(parser: Parser, owner: number): Expression | Extension {
  if (!parser.at(Token.classRef)) {
    const isLiteral =
      parser.kind === Token.lBrace || parser.kind === Token.lBrack || parser.kind === Token.listStart;
    if (!isLiteral) throw parser.syntaxError();
    return parsePrimary(parser);
  }
  const left = parseTypeName(parser);
  if (parser.at(Token.lBrack)) {
    const keys = parseAccessKeys(parser, true);
    return { kind: 'AccessExpression', offset: owner, length: 0, left, keys };
  }
  if (!parser.at(Token.lBrace)) return left;
  const value = parsePrimary(parser);
  if (value.kind !== 'LiteralHash') throw parser.syntaxError();
  return { kind: 'KeyedEntry', offset: owner, length: 0, key: left, value };
}

/** `type A = { ... }` is short for `type A = Object[{ ... }]`. */
function objectOf(right: Expression, offset: number): Expression {
  return right.kind === 'LiteralHash' ? objectType({ offset, length: 0 }, right) : right;
}

/** `type A = Parent { ... }` is short for `type A = Object[{ ..., parent => Parent }]`. */
function extended({ offset, key: parent, value: hash }: Extension): Expression {
  const at = { offset, length: 0 };
  if (parent.value === 'Object' || parent.value === 'TypeSet') {
    return { kind: 'AccessExpression', ...at, left: parent, keys: [hash] };
  }
  const key: Expression = { kind: 'QualifiedName', ...at, value: 'parent' };
  const entries: KeyedEntry[] = [...hash.entries, { kind: 'KeyedEntry', ...at, key, value: parent }];
  return objectType(at, { ...hash, entries });
}

function objectType(at: { offset: number; length: number }, hash: LiteralHash): AccessExpression {
  const left: QualifiedReference = { kind: 'QualifiedReference', ...at, value: 'Object' };
  return { kind: 'AccessExpression', ...at, left, keys: [hash] };
}
