/** Resource expressions in all their forms, and the attributes in them. */

import type {
  Expression,
  KeyedEntry,
  Operation,
  QualifiedName,
  ResourceBody,
  ResourceExpression,
  ResourceForm,
} from '../ast.ts';
import { isKeyword, Token } from '../lex/token.ts';
import { parseExpression } from './parse-expression.ts';
import { addStatement } from './parse-statements.ts';
import type { Mutable, Parser } from './parser.ts';

/**
 * Grammar: `('@' | '@@') resource | 'class' '{' bodies '}' | expression`, then any number of
 * `'{' bodies or attributes '}'`.
 */
export function parseResource(parser: Parser): Expression {
  if (parser.kind === Token.at || parser.kind === Token.atAt) return parseMarked(parser);
  if (parser.kind === Token.class && parser.peek() === Token.lBrace) {
    return parseResourceFrom(parser, parseClassResource(parser));
  }
  return parseResourceFrom(parser, parseExpression(parser, 0));
}

/** Goes on after what may turn out to be the type of a resource. */
export function parseResourceFrom(parser: Parser, first: Expression): Expression {
  let left = first;
  while (parser.kind === Token.lBrace) {
    left = parseBraces(parser, left);
    parser.grow();
  }
  return left;
}

/** Virtual and exported resources. */
function parseMarked(parser: Parser): Expression {
  const { offset } = parser;
  const form: ResourceForm = parser.kind === Token.at ? 'virtual' : 'exported';
  const outer = parser.enter();
  parser.next();
  const resource = parseResource(parser);
  parser.leave(outer);
  const isResource =
    resource.kind === 'ResourceExpression' ||
    resource.kind === 'ResourceDefaultsExpression' ||
    resource.kind === 'ResourceOverrideExpression';
  // The reference looks at the next token before it decides.
  if (!isResource && parser.kind === Token.error) throw parser.syntaxError();
  if (!isResource) throw parser.error(form === 'virtual' ? 'not_virtual' : 'not_exported', {}, offset);
  const marked: Mutable<typeof resource> = resource;
  marked.length = resource.offset + resource.length - offset;
  marked.offset = offset;
  marked.form = form;
  if (resource.kind === 'ResourceExpression') {
    for (const body of resource.bodies as readonly Mutable<ResourceBody>[]) body.offset = offset;
  }
  return resource;
}

/** Grammar: `'class' '{' resource_body (';' resource_body)* ';'? '}'`. */
function parseClassResource(parser: Parser): ResourceExpression {
  const offset = parser.expect(Token.class);
  parser.next();
  const bodies = parseBodies(parser, offset);
  parser.accept(Token.semic);
  parser.expect(Token.rBrace);
  const typeName: QualifiedName = { kind: 'QualifiedName', offset, length: 0, value: 'class' };
  const length = parser.previousEnd - offset;
  return { kind: 'ResourceExpression', offset, length, form: 'regular', typeName, bodies };
}

function parseBodies(parser: Parser, owner: number): ResourceBody[] {
  const bodies = [parseBodyWith(parser, parseExpression(parser, 0), owner)];
  while (parser.kind === Token.semic && parser.peek() !== Token.rBrace) {
    parser.next();
    bodies.push(parseBodyWith(parser, parseExpression(parser, 0), owner));
  }
  return bodies;
}

/** Grammar: `expression ':' attribute_operations ','?`; the title has been read. */
function parseBodyWith(parser: Parser, title: Expression, owner: number): ResourceBody {
  parser.expect(Token.colon);
  return { kind: 'ResourceBody', offset: owner, length: 0, title, operations: parseOperations(parser) };
}

/** The braces after an expression: titled bodies, or attributes only. */
function parseBraces(parser: Parser, left: Expression): Expression {
  const brace = parser.expect(Token.lBrace);
  if (!startsOperations(parser)) return parseTitled(parser, left);
  const operations = parseOperations(parser);
  parser.expect(Token.rBrace);
  return untitled(parser, left, operations, brace);
}

function parseTitled(parser: Parser, typeName: Expression): ResourceExpression {
  const { offset } = typeName;
  const bodies = [parseBodyWith(parser, parseExpression(parser, 0), offset)];
  while (parser.accept(Token.semic)) {
    if (parser.kind === Token.rBrace) break;
    bodies.push(parseBodyWith(parser, parseExpression(parser, 0), offset));
  }
  parser.expect(Token.rBrace);
  const length = parser.previousEnd - offset;
  return { kind: 'ResourceExpression', offset, length, form: 'regular', typeName, bodies };
}

/** Attributes without a title mean something else for each kind of expression before them. */
function untitled(
  parser: Parser,
  left: Expression,
  operations: readonly Operation[],
  brace: number,
): Expression {
  const { offset } = left;
  const length = parser.previousEnd - offset;
  switch (left.kind) {
    case 'QualifiedName':
      return callWithHash(parser, left, operations, brace);
    case 'QualifiedReference':
      return {
        kind: 'ResourceDefaultsExpression',
        offset,
        length,
        form: 'regular',
        typeRef: left,
        operations,
      };
    case 'AccessExpression':
      return {
        kind: 'ResourceOverrideExpression',
        offset,
        length,
        form: 'regular',
        resources: left,
        operations,
      };
    default:
      throw parser.error('not_a_resource', {}, offset);
  }
}

/** `name { a => 1 }` is a name and a hash: a call when it is a statement function, else a block that is refused later. */
function callWithHash(
  parser: Parser,
  left: QualifiedName,
  operations: readonly Operation[],
  brace: number,
): Expression {
  const { offset } = left;
  const length = parser.previousEnd - offset;
  if (
    operations.some((operation) => operation.kind === 'AttributeOperation' && operation.operator === '+>')
  ) {
    throw parser.error('resource_without_title_or_hash', {}, brace);
  }
  const hashLength = parser.previousEnd - brace;
  const entries = operations.map((operation) => entryOf(operation, brace));
  const statements: Expression[] = [left];
  addStatement(statements, { kind: 'LiteralHash', offset: brace, length: hashLength, entries });
  const [only] = statements;
  if (statements.length === 1 && only !== undefined) return { ...only, offset, length };
  return { kind: 'BlockExpression', offset, length, statements };
}

function entryOf(operation: Operation, offset: number): KeyedEntry {
  const at = { offset, length: 0 };
  if (operation.kind === 'AttributesOperation') {
    return { kind: 'KeyedEntry', ...at, key: { kind: 'Nop', ...at }, value: { kind: 'Nop', ...at } };
  }
  const key: Expression = { kind: 'LiteralString', ...at, value: operation.attributeName };
  return { kind: 'KeyedEntry', ...at, key, value: operation.valueExpr };
}

/** Is what follows `{` the attributes, not a title? */
function startsOperations(parser: Parser): boolean {
  const { kind } = parser;
  if (kind === Token.rBrace || kind === Token.comma) return true;
  const next = parser.peek();
  if (kind === Token.times) return next === Token.fArrow;
  if (NEVER_STARTS.has(kind)) return true;
  return isAttributeName(kind) && (next === Token.fArrow || next === Token.pArrow);
}

/** Keywords that can be the name of an attribute, but not the start of a title. */
const NEVER_STARTS: ReadonlySet<number> = new Set([
  Token.and,
  Token.or,
  Token.in,
  Token.else,
  Token.elsif,
  Token.inherits,
]);

function isAttributeName(kind: number): boolean {
  return kind === Token.name || (isKeyword(kind) && kind !== Token.boolean);
}

/** Grammar: `(attribute_operation (',' attribute_operation)*)? ','?`. */
export function parseOperations(parser: Parser): Operation[] {
  const operations: Operation[] = [];
  if (startsOperation(parser.kind)) operations.push(parseOperation(parser));
  while (parser.accept(Token.comma)) {
    if (!startsOperation(parser.kind)) break;
    operations.push(parseOperation(parser));
  }
  return operations;
}

function startsOperation(kind: number): boolean {
  return kind === Token.times || isAttributeName(kind);
}

/** Grammar: `name ('=>' | '+>') expression | '*' '=>' expression`. */
function parseOperation(parser: Parser): Operation {
  const { offset } = parser;
  if (parser.accept(Token.times)) {
    parser.expect(Token.fArrow);
    const expr = parseExpression(parser, 0);
    return { kind: 'AttributesOperation', offset, length: expr.offset + expr.length - offset, expr };
  }
  const attributeName = parser.value;
  parser.next();
  const operator = parser.kind === Token.pArrow ? '+>' : '=>';
  if (!parser.accept(Token.pArrow)) parser.expect(Token.fArrow);
  const valueExpr = parseExpression(parser, 0);
  const length = valueExpr.offset + valueExpr.length - offset;
  return { kind: 'AttributeOperation', offset, length, attributeName, operator, valueExpr };
}
