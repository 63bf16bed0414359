/** `apply` of plans: a catalog in the middle of one. */

import type { CallNamedFunctionExpression, LambdaExpression, QualifiedName } from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parseArguments } from './parse-arguments.ts';
import { parseBody } from './parse-statements.ts';
import type { Parser } from './parser.ts';

/** Grammar: `'apply' '(' arguments ','? ')' '{' statements? '}'`: a call whose lambda has no parameters. */
export function parseApply(parser: Parser): CallNamedFunctionExpression {
  const { length: nameLength, value } = parser;
  const offset = parser.expect(Token.apply);
  const functorExpr: QualifiedName = { kind: 'QualifiedName', offset, length: nameLength, value };
  parser.expect(Token.lParen);
  const args = parseArguments(parser, Token.rParen, true);
  parser.expect(Token.rParen);
  const start = parser.offset;
  const body = parseBody(parser, start);
  const end = parser.previousEnd;
  const block = { parameters: [], returnType: undefined, body };
  const lambda: LambdaExpression = { kind: 'LambdaExpression', offset: start, length: end - start, ...block };
  const call = { functorExpr, args, lambda, rvalRequired: true };
  return { kind: 'CallNamedFunctionExpression', offset, length: end - offset, ...call };
}
