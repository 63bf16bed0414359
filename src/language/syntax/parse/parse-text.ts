/** Strings with interpolations, and heredocs. */

import type { Expression, HeredocExpression, LiteralString, TextExpression } from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parseAssignment } from './parse-relationship.ts';
import type { Parser } from './parser.ts';

/** Grammar: `dq_pre expression (dq_mid expression)* dq_post`; empty pieces of text are left out. */
export function parseInterpolated(parser: Parser): Expression {
  const { offset } = parser;
  const segments: Expression[] = [];
  let last: number;
  do {
    addText(parser, segments);
    const expr = parseAssignment(parser);
    const text: TextExpression = { kind: 'TextExpression', offset, length: 0, expr };
    segments.push(text);
    last = parser.kind;
    if (last !== Token.dqMid && last !== Token.dqPost) throw parser.syntaxError();
  } while (last === Token.dqMid);
  addText(parser, segments);
  return { kind: 'ConcatenatedString', offset, length: parser.previousEnd - offset, segments };
}

/** Grammar: `heredoc string`. */
export function parseHeredoc(parser: Parser): HeredocExpression {
  const { offset, length, value: syntax } = parser;
  parser.next();
  const textExpr = parser.kind === Token.dqPre ? parseInterpolated(parser) : parseString(parser);
  return { kind: 'HeredocExpression', offset, length, syntax, textExpr };
}

function parseString(parser: Parser): LiteralString {
  const { length, value } = parser;
  const offset = parser.expect(Token.string);
  return { kind: 'LiteralString', offset, length, value };
}

function addText(parser: Parser, segments: Expression[]): void {
  const { offset, length, value } = parser;
  parser.next();
  if (value !== '') segments.push({ kind: 'LiteralString', offset, length, value });
}
