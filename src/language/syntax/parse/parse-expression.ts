/** Expressions with operators, by precedence; what may follow an operand directly is in `parse-postfix.ts`. */

import type {
  ArithmeticOperator,
  ComparisonOperator,
  Expression,
  SelectorEntry,
  SelectorExpression,
} from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parsePostfix } from './parse-postfix.ts';
import { parsePrimary } from './parse-primary.ts';
import type { Parser } from './parser.ts';

/** How tightly each infix operator binds; the others are 0. All associate to the left. */
const POWER: Uint8Array = powers([
  [Token.or],
  [Token.and],
  [Token.qMark],
  [Token.greaterEqual, Token.greaterThan, Token.lessThan, Token.lessEqual],
  [Token.notEqual, Token.isEqual],
  [Token.lShift, Token.rShift],
  [Token.minus, Token.plus],
  [Token.times, Token.div, Token.modulo],
  [Token.match, Token.noMatch],
  [Token.in],
]);

/**
 * Reads an expression whose operators bind at least as tightly as `minimum`; 0 takes all.
 *
 * The level above, with assignments, relationships and resources, is `parseAssignment`.
 */
export function parseExpression(parser: Parser, minimum: number): Expression {
  const outer = parser.enter();
  const expression = parseExpressionFrom(parser, parseUnary(parser), minimum);
  parser.leave(outer);
  return expression;
}

/** Goes on after an operand. */
export function parseExpressionFrom(parser: Parser, operand: Expression, minimum: number): Expression {
  let left = operand;
  for (;;) {
    const power = POWER[parser.kind] ?? 0;
    if (power === 0 || power < minimum) break;
    left =
      parser.kind === Token.qMark
        ? parsePostfix(parser, parseSelector(parser, left))
        : parseInfix(parser, left, power);
    parser.grow();
  }
  return left;
}

/** Prefix operators bind tighter than all infix ones: `!$a == $b` is `(!$a) == $b`. */
function parseUnary(parser: Parser): Expression {
  const { kind, offset } = parser;
  if (kind !== Token.not && kind !== Token.minus && kind !== Token.times) {
    return parsePostfix(parser, parsePrimary(parser));
  }
  const outer = parser.enter();
  parser.next();
  const expr = parseUnary(parser);
  parser.leave(outer);
  if (kind === Token.not) return { kind: 'NotExpression', offset, length: 1, expr };
  if (kind === Token.minus) return { kind: 'UnaryMinusExpression', offset, length: 1, expr };
  return { kind: 'UnfoldExpression', offset, length: 1, expr };
}

/** A binary expression stands where its operator is: errors point there. */
function parseInfix(parser: Parser, left: Expression, power: number): Expression {
  const { kind, offset, length, value } = parser;
  parser.next();
  const right = parseExpression(parser, power + 1);
  const operatorOffset = offset;
  switch (kind) {
    case Token.or:
      return { kind: 'OrExpression', offset, length, left, right, operatorOffset };
    case Token.and:
      return { kind: 'AndExpression', offset, length, left, right, operatorOffset };
    case Token.in:
      return { kind: 'InExpression', offset, length, left, right, operatorOffset };
    case Token.match:
    case Token.noMatch: {
      const operator = kind === Token.match ? '=~' : '!~';
      return { kind: 'MatchExpression', offset, length, operator, left, right, operatorOffset };
    }
    default:
      break;
  }
  if (isComparison(value)) {
    return { kind: 'ComparisonExpression', offset, length, operator: value, left, right, operatorOffset };
  }
  // What has a power and is none of the above is arithmetic.
  const operator = value as ArithmeticOperator;
  return { kind: 'ArithmeticExpression', offset, length, operator, left, right, operatorOffset };
}

function isComparison(text: string): text is ComparisonOperator {
  return text === '==' || text === '!=' || text === '<' || text === '>' || text === '<=' || text === '>=';
}

/** Grammar: `expression '?' (entry | '{' entry (',' entry)* ','? '}')`. */
function parseSelector(parser: Parser, leftExpr: Expression): SelectorExpression {
  parser.next();
  const { offset, length } = leftExpr;
  const selectors: SelectorEntry[] = [];
  if (!parser.accept(Token.selBrace)) {
    selectors.push(parseSelectorEntry(parser));
    return { kind: 'SelectorExpression', offset, length, leftExpr, selectors };
  }
  selectors.push(parseSelectorEntry(parser));
  while (parser.accept(Token.comma)) {
    if (parser.kind === Token.rBrace) break;
    selectors.push(parseSelectorEntry(parser));
  }
  parser.expect(Token.rBrace);
  return { kind: 'SelectorExpression', offset, length, leftExpr, selectors };
}

function parseSelectorEntry(parser: Parser): SelectorEntry {
  const matchingExpr = parseExpression(parser, 0);
  const { length } = parser;
  const offset = parser.expect(Token.fArrow);
  const valueExpr = parseExpression(parser, 0);
  return { kind: 'SelectorEntry', offset, length, matchingExpr, valueExpr };
}

/** A table from token to power, given the levels from the loosest to the tightest. */
function powers(levels: readonly (readonly number[])[]): Uint8Array {
  const table = new Uint8Array(128);
  for (const [index, kinds] of levels.entries()) for (const kind of kinds) table[kind] = index + 1;
  return table;
}
