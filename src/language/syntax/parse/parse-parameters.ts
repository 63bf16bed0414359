/** Parameters of definitions, lambdas and templates, and the types before them. */

import type { Expression, Parameter, QualifiedReference } from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parseAccessKeys } from './parse-arguments.ts';
import { parseExpression } from './parse-expression.ts';
import type { Mutable, Parser } from './parser.ts';

/** Reads `(parameter (',' parameter)* ','?)?` and the closing token. */
export function parseParameters(parser: Parser, close: number): Parameter[] {
  const parameters: Parameter[] = [];
  while (parser.kind !== close) {
    parameters.push(parseParameter(parser));
    if (!parser.accept(Token.comma)) break;
  }
  parser.expect(close);
  return parameters;
}

/** Grammar: `('(' parameters ')')?`. */
export function parseParameterList(parser: Parser): Parameter[] {
  if (!parser.accept(Token.lParen) && !parser.accept(Token.wsLParen)) return [];
  return parseParameters(parser, Token.rParen);
}

/** Grammar: `('>>' type ('[' keys ']')?)?`. */
export function parseReturnType(parser: Parser): Expression | undefined {
  return parser.accept(Token.rShift) ? parseType(parser) : undefined;
}

/** Grammar: `Type ('[' keys ']')?`. */
export function parseType(parser: Parser): Expression {
  const left = parseTypeName(parser);
  if (parser.kind !== Token.lBrack) return left;
  const keys = parseAccessKeys(parser, false);
  const { offset } = left;
  return { kind: 'AccessExpression', offset, length: parser.previousEnd - offset, left, keys };
}

export function parseTypeName(parser: Parser): QualifiedReference {
  const { length, value } = parser;
  const offset = parser.expect(Token.classRef);
  return { kind: 'QualifiedReference', offset, length, value };
}

/** Grammar: `type? '*'? $name ('=' expression)?`. */
function parseParameter(parser: Parser): Parameter {
  const typeExpr = parser.kind === Token.classRef ? parseType(parser) : undefined;
  const capturesRest = parser.accept(Token.times);
  const { length, value: name } = parser;
  const offset = parser.expect(Token.variable);
  const value = parser.accept(Token.equals) ? parseExpression(parser, 0) : undefined;
  const parameter: Mutable<Parameter> = {
    kind: 'Parameter',
    offset,
    length,
    name,
    typeExpr,
    value,
    capturesRest,
  };
  return parameter;
}
