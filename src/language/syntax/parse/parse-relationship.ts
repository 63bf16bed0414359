/** Assignments and relationships: the levels of the grammar above plain expressions. */

import type { AssignmentExpression, Expression, RelationshipOperator } from '../ast.ts';
import { Token } from '../lex/token.ts';
import { parseResource, parseResourceFrom } from './parse-resource.ts';
import type { Parser } from './parser.ts';

/** Grammar: `relationship (('=' | '+=' | '-=') assignment)?`; associates to the right. */
export function parseAssignment(parser: Parser): Expression {
  const outer = parser.enter();
  const expression = assignmentFrom(parser, relationshipFrom(parser, parseResource(parser)));
  parser.leave(outer);
  return expression;
}

/** Goes on where an expression could be the start of something bigger. */
export function parseAssignmentFrom(parser: Parser, left: Expression): Expression {
  return assignmentFrom(parser, relationshipFrom(parser, parseResourceFrom(parser, left)));
}

function assignmentFrom(parser: Parser, left: Expression): Expression {
  const operator = assignmentOperator(parser.kind);
  if (operator === undefined) return left;
  const { offset, length } = parser;
  parser.next();
  const right = parseAssignment(parser);
  return { kind: 'AssignmentExpression', offset, length, operator, left, right, operatorOffset: offset };
}

function assignmentOperator(kind: number): AssignmentExpression['operator'] | undefined {
  if (kind === Token.equals) return '=';
  if (kind === Token.appends) return '+=';
  return kind === Token.deletes ? '-=' : undefined;
}

/** Grammar: `resource (('->' | '~>' | '<-' | '<~') resource)*`. */
function relationshipFrom(parser: Parser, first: Expression): Expression {
  let left = first;
  for (;;) {
    const operator = edgeOperator(parser.kind);
    if (operator === undefined) return left;
    const { offset, length } = parser;
    parser.next();
    const right = parseResource(parser);
    parser.grow();
    left = { kind: 'RelationshipExpression', offset, length, operator, left, right, operatorOffset: offset };
  }
}

function edgeOperator(kind: number): RelationshipOperator | undefined {
  switch (kind) {
    case Token.inEdge:
      return '->';
    case Token.inEdgeSub:
      return '~>';
    case Token.outEdge:
      return '<-';
    case Token.outEdgeSub:
      return '<~';
    default:
      return undefined;
  }
}
