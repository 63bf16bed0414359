/** `if`, `unless` and `case`. */

import type { CaseExpression, CaseOption, Expression, IfExpression, UnlessExpression } from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parseExpression } from './parse-expression.ts';
import { parseBlock, parseBody } from './parse-statements.ts';
import type { Mutable, Parser } from './parser.ts';

/** Grammar: `'if' test block ('elsif' test block)* ('else' block)?`; an `elsif` is an `if` in the `else`. */
export function parseIf(parser: Parser): IfExpression {
  const offset = parser.expect(Token.if);
  const first = parseIfPart(parser, offset);
  const parts = [first];
  let last: Mutable<IfExpression> = first;
  while (parser.kind === Token.elsif) {
    parser.grow();
    const part = parseIfPart(parser, parser.expect(Token.elsif));
    last.elseExpr = part;
    last = part;
    parts.push(part);
  }
  if (parser.accept(Token.else)) last.elseExpr = parseBlock(parser, last.offset);
  for (const part of parts) part.length = parser.previousEnd - part.offset;
  return first;
}

function parseIfPart(parser: Parser, offset: number): Mutable<IfExpression> {
  const test = parseExpression(parser, 0);
  const thenExpr = parseBlock(parser, offset);
  const elseExpr: Expression = { kind: 'Nop', offset, length: 0 };
  return { kind: 'IfExpression', offset, length: parser.previousEnd - offset, test, thenExpr, elseExpr };
}

/** Grammar: `'unless' test block ('else' block)?`. */
export function parseUnless(parser: Parser): UnlessExpression {
  const offset = parser.expect(Token.unless);
  const test = parseExpression(parser, 0);
  const thenExpr = parseBlock(parser, offset);
  const length = parser.previousEnd - offset;
  const elseExpr: Expression = parser.accept(Token.else)
    ? parseBlock(parser, offset)
    : { kind: 'Nop', offset, length: 0 };
  return { kind: 'UnlessExpression', offset, length, test, thenExpr, elseExpr };
}

/** Grammar: `'case' test '{' option+ '}'`. */
export function parseCase(parser: Parser): CaseExpression {
  const offset = parser.expect(Token.case);
  const test = parseExpression(parser, 0);
  parser.expect(Token.lBrace);
  const options: CaseOption[] = [];
  do options.push(parseOption(parser));
  while (parser.kind !== Token.rBrace);
  parser.expect(Token.rBrace);
  return { kind: 'CaseExpression', offset, length: parser.previousEnd - offset, test, options };
}

/** Grammar: `expression (',' expression)* ':' '{' statements? '}'`. */
function parseOption(parser: Parser): CaseOption {
  const values = [parseExpression(parser, 0)];
  while (parser.accept(Token.comma)) values.push(parseExpression(parser, 0));
  const offset = parser.expect(Token.colon);
  const thenExpr = parseBody(parser, offset);
  return { kind: 'CaseOption', offset, length: parser.previousEnd - offset, values, thenExpr };
}
