/** `Type <| query |>`, `Type <<| query |>>` */

import { failure } from '../../catalog/index.ts';
import { equals, Float, includes, inspect, isArray, isInteger, type Value } from '../../pcore/index.ts';
import type { CollectExpression, ComparisonExpression, Expression, PuppetError } from '../../syntax/index.ts';
import type { ExactJson } from '../compile-request.ts';
import { toExactJson } from '../json-values.ts';
import type { CollectorOverrides } from '../resources/collector-value.ts';
import {
  ExportedCollector,
  type ExportedFilter,
  type ResourceTest,
  VirtualCollector,
} from '../resources/collectors.ts';
import { findResourceType } from '../resources/declare.ts';
import { referenceText } from '../resources/reference-text.ts';
import type { Frame } from '../runtime/frame.ts';
import type { CompiledResource } from '../runtime/scope.ts';
import { withoutParentheses } from './arguments.ts';
import { type EvaluateParameters, lowerOperations } from './catalog-expressions.ts';
import { guarded } from './guarded.ts';
import type { Evaluate, Lower, LowerContext } from './lower-context.ts';
import { warnWithoutStore } from './without-store.ts';

export function lowerCollect(node: CollectExpression, context: LowerContext, lower: Lower): Evaluate {
  const typeName = node.typeExpr.kind === 'QualifiedReference' ? node.typeExpr.value.toLowerCase() : '';
  const { query } = node;
  const lowered = query.expr.kind === 'Nop' ? undefined : lowerQuery(query.expr, context, lower);
  const operations =
    node.operations.length === 0 ? undefined : lowerOperations(node.operations, context, lower);
  const evaluate: Evaluate = (frame) => {
    const { scope } = frame;
    if (query.kind === 'ExportedQuery')
      warnWithoutStore(COLLECT_WITHOUT_STORE, node, context, scope.compiler);
    if (typeName === 'class') throw failure('Classes cannot be collected');
    if (findResourceType(scope.compiler, typeName) === undefined) {
      throw failure(`Resource type ${typeName} doesn't exist`);
    }
    const overrides = operations === undefined ? undefined : overridesFor(operations, frame, node, context);
    const options = { scope, typeName, test: lowered?.test(frame), overrides };
    const collector =
      query.kind === 'VirtualQuery'
        ? new VirtualCollector(options)
        : new ExportedCollector(options, lowered?.stored(frame));
    scope.compiler.collectors.add(collector);
    return collector;
  };
  return guarded(evaluate, node, context);
}

const COLLECT_WITHOUT_STORE =
  'You cannot collect exported resources without storeconfigs being set; the collection will be ignored';

function overridesFor(
  operations: EvaluateParameters,
  frame: Frame,
  node: CollectExpression,
  { unit }: LowerContext,
): CollectorOverrides {
  const { scope } = frame;
  return {
    parameters: operations(frame),
    file: unit.source.file,
    line: unit.lineOf(node.offset),
    source: scope.source,
    scope,
  };
}

/** A query in both forms: a test of our own resources, and what a store of exported ones is asked. */
interface LoweredQuery {
  test(frame: Frame): ResourceTest;
  stored(frame: Frame): ExportedFilter;
}

function lowerQuery(expression: Expression, context: LowerContext, lower: Lower): LoweredQuery {
  if (expression.kind === 'ParenthesizedExpression') return lowerQuery(expression.expr, context, lower);
  if (expression.kind === 'AndExpression' || expression.kind === 'OrExpression') {
    const left = lowerQuery(expression.left, context, lower);
    const right = lowerQuery(expression.right, context, lower);
    return expression.kind === 'AndExpression' ? conjunction(left, right) : disjunction(left, right);
  }
  if (expression.kind === 'ComparisonExpression') return lowerComparison(expression, context, lower);
  return lowerPlainValue(expression, context, lower);
}

/** A query that is just a value cannot be asked; the reference finds out with the first resource. */
function lowerPlainValue(expression: Expression, context: LowerContext, lower: Lower): LoweredQuery {
  const evaluate = lower(expression, context);
  return {
    test: (frame) => {
      const value = evaluate(frame);
      return () => {
        throw noMethod('call', value);
      };
    },
    stored: (frame) => {
      const value = evaluate(frame);
      return () => {
        if (value === null) return null;
        throw failure(`Operator  in ${inspect(value)} not supported`);
      };
    },
  };
}

function conjunction(left: LoweredQuery, right: LoweredQuery): LoweredQuery {
  return {
    test: (frame) => {
      const isLeft = left.test(frame);
      const isRight = right.test(frame);
      return (resource) => isLeft(resource) && isRight(resource);
    },
    stored: (frame) => joined('and', left.stored(frame), right.stored(frame)),
  };
}

function disjunction(left: LoweredQuery, right: LoweredQuery): LoweredQuery {
  return {
    test: (frame) => {
      const isLeft = left.test(frame);
      const isRight = right.test(frame);
      return (resource) => isLeft(resource) || isRight(resource);
    },
    stored: (frame) => joined('or', left.stored(frame), right.stored(frame)),
  };
}

function joined(operator: 'and' | 'or', left: ExportedFilter, right: ExportedFilter): ExportedFilter {
  return () => [operator, left(), right()];
}

/** What may be compared in a query. */
const OPERANDS: ReadonlySet<Expression['kind']> = new Set<Expression['kind']>([
  'AccessExpression',
  'VariableExpression',
  'LiteralBoolean',
  'LiteralString',
  'ConcatenatedString',
  'LiteralInteger',
  'LiteralFloat',
  'LiteralUndef',
  'QualifiedName',
]);

function lowerOperand(expression: Expression, context: LowerContext, lower: Lower): Evaluate {
  const bare = withoutParentheses(expression);
  if (OPERANDS.has(bare.kind)) return lower(bare, context);
  return () => {
    throw failure(`Cannot transform object of class Puppet::Pops::Model::${bare.kind}`);
  };
}

function lowerComparison(node: ComparisonExpression, context: LowerContext, lower: Lower): LoweredQuery {
  const left = lowerOperand(node.left, context, lower);
  const right = lowerOperand(node.right, context, lower);
  const isNegated = node.operator === '!=';
  return {
    test: (frame) => {
      const attribute = String(left(frame));
      const wanted = right(frame);
      if (attribute === 'tag' && !isNegated) return tagTest(wanted);
      const isMatch = attributeTest(attribute, wanted, isNegated);
      return isNegated ? (resource) => !isMatch(resource) : isMatch;
    },
    stored: (frame) => storedComparison(String(left(frame)), right(frame), isNegated),
  };
}

function tagTest(wanted: Value): ResourceTest {
  const tags = (isArray(wanted) ? wanted : [wanted]).map((tag) => {
    if (isInteger(tag) || tag instanceof Float) throw failure('Cannot transform a number to a tag');
    return String(tag).toLowerCase();
  });
  return (resource) => isTagged(resource, tags);
}

/** By its own tags or, before it has got them, by those of its container. */
function isTagged(resource: CompiledResource, tags: readonly string[]): boolean {
  if (tags.some((tag) => resource.tags.has(tag))) return true;
  const declarer = resource.scope.resource;
  return declarer !== undefined && declarer !== resource && isTagged(declarer, tags);
}

function attributeTest(attribute: string, wanted: Value, isNegated: boolean): ResourceTest {
  const expected = referenceText(wanted) ?? wanted;
  return (resource) => {
    const value =
      attribute === 'title' ? (resource.titleValue ?? resource.title) : (resource.value(attribute) ?? null);
    const actual = referenceText(value) ?? value;
    if (isArray(actual) && !isNegated) return includes(actual, expected);
    return equals(actual, expected);
  };
}

function storedComparison(attribute: string, wanted: Value, isNegated: boolean): ExportedFilter {
  return () => {
    const field = attribute === 'tag' || attribute === 'title' ? attribute : ['parameter', attribute];
    // References are kept as `Type[title]`; the reference asks for them in another form, and finds none.
    const expected = attribute === 'tag' ? storedTag(wanted) : toExactJson(wanted);
    const predicate: ExactJson = ['=', field, expected];
    return isNegated ? ['not', predicate] : predicate;
  };
}

/** Tags are kept in lower case. */
function storedTag(value: Value): string {
  if (typeof value === 'string') return value.toLowerCase();
  throw noMethod('downcase', value);
}

/** What the reference says of collectors that do what only some values can. */
function noMethod(name: string, value: Value): PuppetError {
  const receiver = value === null ? 'nil:NilClass' : `${inspect(value)}:${rubyClassOf(value)}`;
  return failure(
    `Puppet::Parser::Compiler failed with error NoMethodError: undefined method \`${name}' for ${receiver}`,
  );
}

function rubyClassOf(value: Value): string {
  if (typeof value === 'string') return 'String';
  if (typeof value === 'boolean') return value ? 'TrueClass' : 'FalseClass';
  if (isInteger(value)) return 'Integer';
  if (value instanceof Float) return 'Float';
  return isArray(value) ? 'Array' : 'Hash';
}
