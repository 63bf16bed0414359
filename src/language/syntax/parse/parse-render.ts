/** What templates are made of. */

import type { EppExpression, Expression, LiteralHash } from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parseEntryFrom, parseHashEntries } from './parse-arguments.ts';
import { parseExpression, parseExpressionFrom } from './parse-expression.ts';
import { parseParameters } from './parse-parameters.ts';
import { parsePostfix } from './parse-postfix.ts';
import { parseAssignment } from './parse-relationship.ts';
import { bodyOf, parseStatements } from './parse-statements.ts';
import type { Parser } from './parser.ts';

/** Grammar: `epp_start ('|' parameters '|')? statements?`, up to the end. */
export function parseTemplate(parser: Parser): EppExpression {
  const offset = parser.expect(Token.eppStart);
  const parametersSpecified = parser.accept(Token.pipe);
  const parameters = parametersSpecified ? parseParameters(parser, Token.pipe) : [];
  const body = bodyOf(parser.kind === Token.end ? [] : parseStatements(parser), offset);
  return { kind: 'EppExpression', offset, length: 0, parametersSpecified, parameters, body };
}

/** Grammar: `text | '<%=' (expression | '{' statements '}') '%>'`. */
export function parseRenderExpression(parser: Parser): Expression {
  const { offset, length, value } = parser;
  if (parser.accept(Token.renderString)) return { kind: 'RenderStringExpression', offset, length, value };
  parser.expect(Token.renderExpr);
  const expr = parser.kind === Token.lBrace ? parseBraced(parser) : parseExpression(parser, 0);
  if (!parser.accept(Token.eppEnd)) parser.expect(Token.eppEndTrim);
  return { kind: 'RenderExpression', offset, length: parser.previousEnd - offset, expr };
}

/** Braces in `<%= %>` hold statements, unless what they hold turns out to be the entries of a hash. */
function parseBraced(parser: Parser): Expression {
  const offset = parser.expect(Token.lBrace);
  if (parser.kind === Token.rBrace) return parseRestOfHash(parser, offset, undefined);
  const first = parseAssignment(parser);
  if (parser.kind === Token.fArrow) return parseRestOfHash(parser, offset, first);
  const statements = parseStatements(parser, first);
  parser.expect(Token.rBrace);
  const [only] = statements;
  if (statements.length === 1 && only !== undefined) return only;
  return { kind: 'BlockExpression', offset, length: parser.previousEnd - offset, statements };
}

function parseRestOfHash(parser: Parser, offset: number, firstKey: Expression | undefined): Expression {
  const entries = firstKey === undefined ? [] : [parseEntryFrom(parser, firstKey)];
  if (entries.length > 0 && parser.accept(Token.comma)) entries.push(...parseHashEntries(parser));
  parser.expect(Token.rBrace);
  const length = parser.previousEnd - offset;
  const hash: LiteralHash = { kind: 'LiteralHash', offset, length, entries };
  return parseExpressionFrom(parser, parsePostfix(parser, hash), 0);
}
