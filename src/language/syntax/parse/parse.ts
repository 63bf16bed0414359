/** From text to tree. */

import type { Expression, Program, SourceText } from '../ast.ts';
import { PuppetError } from '../diagnostic.ts';
import { type Tokens, tokenize, tokenizeEpp } from '../lex/lexer.ts';
import { PLAN_KEYWORDS, Token } from '../lex/token.ts';
import { parseExpression as parseExpressionWith } from './parse-expression.ts';
import { parseTemplate } from './parse-render.ts';
import { parseStatements } from './parse-statements.ts';
import { Parser } from './parser.ts';

/**
 * Parses a manifest, without validating it.
 *
 * @throws PuppetError at the first mistake, as `Syntax error at 'x' (file: ..., line: ..., column: ...)`; its `all`
 *   has the lexer's warnings, too
 */
export function parseManifest(source: SourceText): Program {
  return parseWith(source, tokenize(source), (parser) =>
    parser.kind === Token.end ? emptyBody(source) : programBody(parseStatements(parser)),
  );
}

/**
 * Parses a file of a module's `plans`, without validating it.
 *
 * @throws PuppetError at the first mistake
 */
export function parsePlan(source: SourceText): Program {
  const tokens = tokenize(source);
  const { kinds, values } = tokens.list;
  for (const [index, kind] of kinds.entries())
    if (kind === Token.name) kinds[index] = PLAN_KEYWORDS.get(values[index] ?? '') ?? kind;
  return parseWith(source, tokens, (parser) =>
    parser.kind === Token.end ? emptyBody(source) : programBody(parseStatements(parser)),
  );
}

/**
 * Parses a template, without validating it; the body is an `EppExpression`.
 *
 * @throws PuppetError at the first mistake
 */
export function parseEpp(source: SourceText): Program {
  return parseWith(source, tokenizeEpp(source), parseTemplate);
}

/**
 * Parses a single expression, such as a type in a string; offsets are those of the text.
 *
 * @throws PuppetError when the text is not exactly one expression
 */
export function parseExpression(text: string): Expression {
  const source = { file: '', text };
  const parser = new Parser(source, tokenize(source));
  const expression = parseExpressionWith(parser, 0);
  if (parser.kind !== Token.end) throw parser.syntaxError();
  return expression;
}

function parseWith(source: SourceText, tokens: Tokens, parseBody: (parser: Parser) => Expression): Program {
  const { warnings } = tokens;
  const parser = new Parser(source, tokens);
  try {
    const body = parseBody(parser);
    if (parser.kind !== Token.end) throw parser.syntaxError();
    const [late] = tokens.late;
    if (late !== undefined) throw late;
    const { definitions } = parser;
    return { kind: 'Program', offset: 0, length: source.text.length, body, definitions, source, warnings };
  } catch (error) {
    if (!(error instanceof PuppetError) || warnings.length === 0) throw error;
    throw new PuppetError(error.diagnostic, { cause: error, all: [...warnings, error.diagnostic] });
  }
}

function emptyBody(source: SourceText): Expression {
  return { kind: 'Nop', offset: source.text.length, length: 0 };
}

function programBody(statements: readonly Expression[]): Expression {
  const [first] = statements;
  const last = statements.at(-1);
  if (first === undefined || last === undefined || first === last) return first ?? emptyStatement();
  const length = last.offset + last.length - first.offset;
  return { kind: 'BlockExpression', offset: first.offset, length, statements };
}

function emptyStatement(): Expression {
  return { kind: 'Nop', offset: 0, length: 0 };
}
