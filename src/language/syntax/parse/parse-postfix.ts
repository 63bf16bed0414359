/** What follows an operand directly: `[keys]`, `(arguments)`, `.method`, `<| query |>`, and lambdas. */

import type {
  AccessExpression,
  CallMethodExpression,
  CallNamedFunctionExpression,
  CollectExpression,
  ExportedQuery,
  Expression,
  LambdaExpression,
  NamedAccessExpression,
  QualifiedName,
  VirtualQuery,
} from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parseAccessKeys, parseArguments } from './parse-arguments.ts';
import { parseExpression } from './parse-expression.ts';
import { parseParameters, parseReturnType } from './parse-parameters.ts';
import { parseOperations } from './parse-resource.ts';
import { parseBody } from './parse-statements.ts';
import type { Parser } from './parser.ts';

/** Goes on after an operand as long as something binds to it; all of it binds tighter than any operator. */
export function parsePostfix(parser: Parser, operand: Expression): Expression {
  let left = operand;
  for (;;) {
    switch (parser.kind) {
      case Token.lBrack:
        left = parseAccess(parser, left);
        break;
      case Token.lParen:
        left = parseCall(parser, left);
        break;
      case Token.dot:
        left = parseMethodCall(parser, left);
        break;
      case Token.lCollect:
      case Token.llCollect:
        left = parseCollect(parser, left);
        break;
      default:
        return left;
    }
    parser.grow();
  }
}

/** Grammar: `expression '[' access_args ','? ']'`. */
function parseAccess(parser: Parser, left: Expression): AccessExpression {
  const keys = parseAccessKeys(parser, true);
  const { offset } = left;
  return { kind: 'AccessExpression', offset, length: parser.previousEnd - offset, left, keys };
}

/** Grammar: `expression '(' (arguments ','?)? ')' lambda?`. */
function parseCall(parser: Parser, functorExpr: Expression): CallNamedFunctionExpression {
  parser.next();
  const args = parser.kind === Token.rParen ? [] : parseArguments(parser, Token.rParen, true);
  parser.expect(Token.rParen);
  const lambda = parseOptionalLambda(parser);
  const { offset } = functorExpr;
  const length = parser.previousEnd - offset;
  return {
    kind: 'CallNamedFunctionExpression',
    offset,
    length,
    functorExpr,
    args,
    lambda,
    rvalRequired: true,
  };
}

/** Grammar: `expression '.' name ('(' arguments? ')')? lambda?`. */
function parseMethodCall(parser: Parser, left: Expression): CallMethodExpression {
  const dot = parser.expect(Token.dot);
  if (!parser.at(Token.name) && !parser.at(Token.type)) throw parser.syntaxError();
  const right: QualifiedName = { kind: 'QualifiedName', offset: dot, length: 0, value: parser.value };
  parser.next();
  const length = parser.previousEnd - dot;
  const functorExpr: NamedAccessExpression = {
    kind: 'NamedAccessExpression',
    offset: dot,
    length,
    left,
    right,
  };
  if (!parser.at(Token.lParen)) {
    const lambda = parseOptionalLambda(parser);
    return { kind: 'CallMethodExpression', offset: dot, length, functorExpr, args: [], lambda };
  }
  const offset = parser.expect(Token.lParen);
  const args = parser.kind === Token.rParen ? [] : parseArguments(parser, Token.rParen, false);
  parser.expect(Token.rParen);
  const span = args.length === 0 ? 1 : parser.previousEnd - offset;
  const lambda = parseOptionalLambda(parser);
  return { kind: 'CallMethodExpression', offset, length: span, functorExpr, args, lambda };
}

/** Grammar: `'|' (parameters ','?)? '|' return_type? '{' statements? '}'`. */
function parseOptionalLambda(parser: Parser): LambdaExpression | undefined {
  if (parser.kind !== Token.pipe) return undefined;
  const offset = parser.expect(Token.pipe);
  const parameters = parseParameters(parser, Token.pipe);
  const returnType = parseReturnType(parser);
  const body = parseBody(parser, offset);
  return {
    kind: 'LambdaExpression',
    offset,
    length: parser.previousEnd - offset,
    parameters,
    returnType,
    body,
  };
}

/** Grammar: `expression query ('{' attribute_operations '}')?`. */
function parseCollect(parser: Parser, typeExpr: Expression): CollectExpression {
  const query = parseQuery(parser);
  const { offset } = typeExpr;
  if (!parser.accept(Token.lBrace)) {
    const length = parser.previousEnd - offset;
    return { kind: 'CollectExpression', offset, length, typeExpr, query, operations: [] };
  }
  const operations = parseOperations(parser);
  parser.expect(Token.rBrace);
  const length = parser.previousEnd - offset;
  return { kind: 'CollectExpression', offset, length, typeExpr, query, operations };
}

/** Grammar: `'<|' expression? '|>' | '<<|' expression? '|>>'`. */
function parseQuery(parser: Parser): VirtualQuery | ExportedQuery {
  const { offset } = parser;
  const isVirtual = parser.kind === Token.lCollect;
  const close = isVirtual ? Token.rCollect : Token.rrCollect;
  parser.next();
  const expr: Expression =
    parser.kind === close ? { kind: 'Nop', offset, length: 0 } : parseExpression(parser, 0);
  parser.expect(close);
  const length = parser.previousEnd - offset;
  return { kind: isVirtual ? 'VirtualQuery' : 'ExportedQuery', offset, length, expr };
}
