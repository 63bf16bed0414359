/** Sequences of statements, and calls without parentheses. */

import type { BlockExpression, CallNamedFunctionExpression, Expression, Nop, QualifiedName } from '../ast.ts';
import type { PuppetError } from '../diagnostic.ts';
import { Token } from '../lex/token.ts';
import { parseAssignment } from './parse-relationship.ts';
import type { Mutable, Parser } from './parser.ts';

/** The functions that can be called without parentheses around their arguments. */
const STATEMENT_CALLS: ReadonlySet<string> = new Set([
  'require',
  'realize',
  'include',
  'contain',
  'tag',
  'debug',
  'info',
  'notice',
  'warning',
  'err',
  'fail',
  'import',
  'break',
  'next',
  'return',
]);

/**
 * Reads statements up to something that can't start one, which is left to the caller.
 *
 * Grammar: `statement (';'? statement)*`, where a statement is `assignment (',' assignment)*`.
 *
 * @param first - the first expression when it has been read already
 */
export function parseStatements(parser: Parser, first?: Expression): Expression[] {
  const statements: Expression[] = [];
  let error: PuppetError | undefined;
  let expression = first ?? parseAssignment(parser);
  for (;;) {
    if (parser.kind === Token.comma) {
      const comma = parser.offset;
      const list = parseList(parser, expression);
      error ??= addArguments(parser, statements, list, comma);
    } else {
      addStatement(statements, expression);
    }
    if (!parser.accept(Token.semic) && !STARTS.has(parser.kind)) break;
    expression = parseAssignment(parser);
  }
  // A mistake of the lexer would come first, one of the grammar after.
  if (error !== undefined && parser.kind !== Token.error) throw error;
  return statements;
}

/** Adds an expression to a sequence: as the argument of the name before it, if that names a statement function. */
export function addStatement(statements: Expression[], expression: Expression): void {
  const name = statements.at(-1);
  if (name?.kind === 'QualifiedName' && STATEMENT_CALLS.has(name.value)) {
    statements[statements.length - 1] = statementCall(name, [expression]);
    return;
  }
  if (expression.kind === 'CallNamedFunctionExpression') {
    const call: Mutable<CallNamedFunctionExpression> = expression;
    call.rvalRequired = false;
  }
  statements.push(expression);
}

/** A block of all statements, `Nop` when there are none: the body of a definition, lambda or case option. */
export function bodyOf(statements: readonly Expression[], offset: number): BlockExpression | Nop {
  if (statements.length === 0) return { kind: 'Nop', offset, length: 0 };
  return { kind: 'BlockExpression', offset, length: 0, statements };
}

/**
 * Reads `{ statements }`, braces included: as a block when there are several, as the expression itself when
 * there is one, as `Nop` when there is none.
 *
 * @param owner - the offset of the expression that the block belongs to
 */
export function parseBlock(parser: Parser, owner: number): Expression {
  const offset = parser.expect(Token.lBrace);
  if (parser.accept(Token.rBrace)) return { kind: 'Nop', offset: owner, length: 0 };
  const statements = parseStatements(parser);
  parser.expect(Token.rBrace);
  const [only] = statements;
  if (statements.length === 1 && only !== undefined) return only;
  return { kind: 'BlockExpression', offset, length: parser.previousEnd - offset, statements };
}

/** Reads `{ statements }` as a body, see `bodyOf`. */
export function parseBody(parser: Parser, owner: number): Expression {
  parser.expect(Token.lBrace);
  if (parser.accept(Token.rBrace)) return bodyOf([], owner);
  const statements = parseStatements(parser);
  parser.expect(Token.rBrace);
  return bodyOf(statements, owner);
}

/** The tokens that can start a statement. */
const STARTS: ReadonlySet<number> = new Set<number>([
  Token.string,
  Token.word,
  Token.name,
  Token.classRef,
  Token.variable,
  Token.number,
  Token.regex,
  Token.dqPre,
  Token.heredoc,
  Token.lBrack,
  Token.listStart,
  Token.lBrace,
  Token.lParen,
  Token.wsLParen,
  Token.minus,
  Token.times,
  Token.not,
  Token.at,
  Token.atAt,
  Token.renderString,
  Token.renderExpr,
  Token.case,
  Token.class,
  Token.default,
  Token.define,
  Token.if,
  Token.node,
  Token.undef,
  Token.boolean,
  Token.unless,
  Token.function,
  Token.type,
  Token.attr,
  Token.private,
  Token.plan,
  Token.apply,
]);

function parseList(parser: Parser, first: Expression): Expression[] {
  const list = [first];
  while (parser.accept(Token.comma)) list.push(parseAssignment(parser));
  return list;
}

function addArguments(
  parser: Parser,
  statements: Expression[],
  args: readonly Expression[],
  comma: number,
): PuppetError | undefined {
  const name = statements.at(-1);
  if (name?.kind !== 'QualifiedName') return parser.error('illegal_argument_list', {}, comma);
  if (!STATEMENT_CALLS.has(name.value)) {
    return parser.error('arguments_without_parentheses', { name: name.value }, comma);
  }
  statements[statements.length - 1] = statementCall(name, args);
  return undefined;
}

function statementCall(name: QualifiedName, args: readonly Expression[]): CallNamedFunctionExpression {
  const last = args.at(-1) ?? name;
  return {
    kind: 'CallNamedFunctionExpression',
    offset: name.offset,
    length: last.offset + last.length - name.offset,
    functorExpr: name,
    args,
    lambda: undefined,
    rvalRequired: false,
  };
}
