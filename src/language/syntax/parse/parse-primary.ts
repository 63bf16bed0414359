/** Operands: literals, names, variables, and everything that begins with a keyword. */

import type { Expression, QualifiedName, VariableExpression } from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parseApply } from './parse-apply.ts';
import { parseElements, parseHashEntries } from './parse-arguments.ts';
import { parseCase, parseIf, parseUnless } from './parse-control.ts';
import {
  parseClass,
  parseDefine,
  parseFunction,
  parseNode,
  parsePlanDefinition,
} from './parse-definition.ts';
import { parseNumber } from './parse-number.ts';
import { parseAssignment } from './parse-relationship.ts';
import { parseRenderExpression } from './parse-render.ts';
import { parseHeredoc, parseInterpolated } from './parse-text.ts';
import { parseTypeDefinition } from './parse-type-definition.ts';
import type { Parser } from './parser.ts';

export function parsePrimary(parser: Parser): Expression {
  const { offset, length, value } = parser;
  switch (parser.kind) {
    case Token.variable:
      parser.next();
      return variableOf(value, offset, length);
    case Token.string:
    case Token.word:
      parser.next();
      return { kind: 'LiteralString', offset, length, value };
    case Token.name:
      parser.next();
      return { kind: 'QualifiedName', offset, length, value };
    case Token.classRef:
      parser.next();
      return { kind: 'QualifiedReference', offset, length, value };
    case Token.number:
      return parseNumber(parser);
    case Token.boolean:
      parser.next();
      return { kind: 'LiteralBoolean', offset, length, value: value === 'true' };
    case Token.dqPre:
      return parseInterpolated(parser);
    case Token.heredoc:
      return parseHeredoc(parser);
    case Token.lBrack:
    case Token.listStart:
      return parseArray(parser);
    case Token.lBrace:
      return parseHash(parser);
    case Token.lParen:
    case Token.wsLParen:
      return parseParenthesized(parser);
    default:
      return parseKeyword(parser);
  }
}

function parseKeyword(parser: Parser): Expression {
  const { offset, length, value } = parser;
  switch (parser.kind) {
    case Token.regex:
      parser.next();
      return { kind: 'LiteralRegularExpression', offset, length, source: value };
    case Token.undef:
      parser.next();
      return { kind: 'LiteralUndef', offset, length };
    case Token.default:
      parser.next();
      return { kind: 'LiteralDefault', offset, length };
    case Token.if:
      return parseIf(parser);
    case Token.unless:
      return parseUnless(parser);
    case Token.case:
      return parseCase(parser);
    case Token.class:
      return parseClass(parser);
    case Token.define:
      return parseDefine(parser);
    case Token.node:
      return parseNode(parser);
    case Token.function:
      return parseFunction(parser);
    case Token.plan:
      return parsePlanDefinition(parser);
    case Token.apply:
      return parseApply(parser);
    case Token.type:
      return parseTypeWord(parser);
    case Token.renderString:
    case Token.renderExpr:
      return parseRenderExpression(parser);
    case Token.private:
    case Token.attr:
      parser.next();
      return { kind: 'ReservedWord', offset, length, word: value, future: false };
    default:
      throw parser.syntaxError();
  }
}

/** `$name`; match variables such as `$1` have a number as name. */
function variableOf(name: string, offset: number, length: number): VariableExpression {
  const span = { offset: offset + 1, length: length - 1 };
  const isNumber = /^(?:0|[1-9][0-9]*)$/.test(name) && Number.isSafeInteger(Number(name));
  const expr: Expression = isNumber
    ? { kind: 'LiteralInteger', ...span, value: Number(name), radix: 10 }
    : { kind: 'QualifiedName', ...span, value: name };
  return { kind: 'VariableExpression', offset, length, expr };
}

function parseArray(parser: Parser): Expression {
  const { offset } = parser;
  parser.next();
  const values = parser.kind === Token.rBrack ? [] : parseElements(parser);
  parser.expect(Token.rBrack);
  return { kind: 'LiteralList', offset, length: parser.previousEnd - offset, values };
}

function parseHash(parser: Parser): Expression {
  const offset = parser.expect(Token.lBrace);
  const entries = parseHashEntries(parser);
  parser.expect(Token.rBrace);
  return { kind: 'LiteralHash', offset, length: parser.previousEnd - offset, entries };
}

function parseParenthesized(parser: Parser): Expression {
  const { offset } = parser;
  parser.next();
  const expr = parseAssignment(parser);
  parser.expect(Token.rParen);
  return { kind: 'ParenthesizedExpression', offset, length: 1, expr };
}

/** `type(...)` is a call of the function `type`; otherwise the word begins a definition. */
function parseTypeWord(parser: Parser): Expression {
  if (parser.peek() !== Token.lParen) return parseTypeDefinition(parser);
  const { offset, length, value } = parser;
  parser.next();
  const name: QualifiedName = { kind: 'QualifiedName', offset, length, value };
  return name;
}
