/** Types from type expressions that stand in declarations and strings, without evaluating anything. */

import type { AccessExpression, Expression, KeyedEntry } from '../../syntax/index.ts';
import { fault } from '../fault.ts';
import { PuppetType } from '../puppet-type.ts';
import { TypeReferenceType } from '../types/reference-types.ts';
import { DEFAULT, Float, isInteger, PuppetHash, type Value } from '../value.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { findBuiltinType } from './named-types.ts';
import { specializeType } from './specialize.ts';
import { treeText } from './tree-text.ts';

/** Finds the types that are not the language's own: aliases, Object types, resource types. */
export interface TypeResolver {
  /**
   * @param name - as written, `My::Type`; any case is the same
   * @returns `undefined` for an unknown name
   */
  findAlias(name: string): PuppetType | undefined;
}

/** Knows the language's own types only. */
export const NO_ALIASES: TypeResolver = { findAlias: () => undefined };

/** A resolver for the expressions of one source. */
export interface TypeContext extends TypeResolver {
  /** The text of an expression as it is written: messages and references have it. */
  textOf(expression: Expression): string;
}

export function typeContext(source: string, resolver: TypeResolver): TypeContext {
  return {
    findAlias: (name) => resolver.findAlias(name),
    textOf: (expression) => treeText(source, expression),
  };
}

/**
 * The type that an expression stands for. Unknown names become a `TypeReference`.
 *
 * @throws PuppetError `The expression <...> is not a valid type specification.` and such
 */
export function resolveTypeExpression(expression: Expression, context: TypeContext): PuppetType {
  const value = interpretExpression(expression, context);
  if (!(value instanceof PuppetType)) throw invalidSpecification(expression, context);
  return value;
}

/** A type expression or one of its parameters as a value. */
export function interpretExpression(expression: Expression, context: TypeContext): Value {
  switch (expression.kind) {
    case 'QualifiedReference':
      return findType(expression.value, context) ?? new TypeReferenceType(expression.value);
    case 'AccessExpression':
      return interpretAccess(expression, context);
    case 'LiteralList':
      return expression.values.map((value) => interpretExpression(value, context));
    case 'LiteralHash':
      return new PuppetHash(expression.entries.map((entry) => interpretEntry(entry, context)));
    case 'HeredocExpression':
      return interpretExpression(expression.textExpr, context);
    case 'ParenthesizedExpression':
      return interpretExpression(expression.expr, context);
    case 'UnaryMinusExpression':
      return negate(interpretExpression(expression.expr, context), expression, context);
    default:
      return literalValue(expression, context);
  }
}

function literalValue(expression: Expression, context: TypeContext): Value {
  switch (expression.kind) {
    case 'LiteralInteger':
    case 'LiteralString':
    case 'LiteralBoolean':
    case 'QualifiedName':
      return expression.value;
    case 'LiteralFloat':
      return new Float(expression.value);
    case 'LiteralUndef':
      return null;
    case 'LiteralDefault':
      return DEFAULT;
    case 'LiteralRegularExpression':
      return new RegexpValue(expression.source);
    case 'ReservedWord':
      return expression.word;
    default:
      throw invalidSpecification(expression, context);
  }
}

function interpretEntry(entry: KeyedEntry, context: TypeContext): readonly [Value, Value] {
  return [interpretExpression(entry.key, context), interpretExpression(entry.value, context)];
}

function negate(value: Value, expression: Expression, context: TypeContext): Value {
  if (isInteger(value)) return -value;
  if (value instanceof Float) return new Float(-value.value);
  throw invalidSpecification(expression, context);
}

/** Finds a type by name, the language's own first. */
export function findType(name: string, resolver: TypeResolver): PuppetType | undefined {
  const inner = name.startsWith('::') ? name.slice(2) : name;
  return findBuiltinType(inner) ?? resolver.findAlias(inner);
}

function interpretAccess(expression: AccessExpression, context: TypeContext): Value {
  const { left } = expression;
  const keys = expression.keys.map((key) => interpretExpression(key, context));
  if (left.kind !== 'QualifiedReference') throw invalidSpecification(expression, context);
  const type = findType(left.value, context);
  if (type === undefined) return new TypeReferenceType(context.textOf(expression));
  return specializeType(type, keys, {
    name: left.value,
    resolver: context,
    invalid: () => invalidSpecification(expression, context),
  });
}

function invalidSpecification(expression: Expression, context: TypeContext): Error {
  const text = context.textOf(expression);
  return fault(`The expression <${text}> is not a valid type specification.`, 'invalid_type_specification');
}
