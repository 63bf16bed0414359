/** Types from type expressions that stand in declarations and strings, without evaluating anything. */

import type { AccessExpression, Expression, KeyedEntry } from '../../syntax/index.ts';
import { fault } from '../fault.ts';
import { PuppetType } from '../puppet-type.ts';
import { TypeReferenceType } from '../types/reference-types.ts';
import { DEFAULT, Float, isInteger, PuppetHash, type Value } from '../value.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { findBuiltinType } from './named-types.ts';
import { renderExpression } from './render-expression.ts';
import { specializeType } from './specialize.ts';

/** Finds the types that are not the language's own: aliases, Object types, resource types. */
export interface TypeResolver {
  /**
   * @param name - as written, `My::Type`; any case is the same
   * @returns `undefined` for a name that nobody knows
   */
  findAlias(name: string): PuppetType | undefined;
}

/** Knows the language's own types only. */
export const NO_ALIASES: TypeResolver = { findAlias: () => undefined };

/**
 * The type that an expression stands for. Unknown names become a `TypeReference`.
 *
 * @throws PuppetError `The expression <...> is not a valid type specification.` and such
 */
export function resolveTypeExpression(expression: Expression, resolver: TypeResolver): PuppetType {
  const value = interpretExpression(expression, resolver);
  if (!(value instanceof PuppetType)) throw invalidSpecification(expression);
  return value;
}

/** A type expression or one of its parameters as a value. */
export function interpretExpression(expression: Expression, resolver: TypeResolver): Value {
  switch (expression.kind) {
    case 'QualifiedReference':
      return findType(expression.value, resolver) ?? new TypeReferenceType(expression.value);
    case 'AccessExpression':
      return interpretAccess(expression, resolver);
    case 'LiteralList':
      return expression.values.map((value) => interpretExpression(value, resolver));
    case 'LiteralHash':
      return new PuppetHash(expression.entries.map((entry) => interpretEntry(entry, resolver)));
    case 'HeredocExpression':
      return interpretExpression(expression.textExpr, resolver);
    case 'ParenthesizedExpression':
      return interpretExpression(expression.expr, resolver);
    case 'UnaryMinusExpression':
      return negate(interpretExpression(expression.expr, resolver), expression);
    default:
      return literalValue(expression);
  }
}

function literalValue(expression: Expression): Value {
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
      throw invalidSpecification(expression);
  }
}

function interpretEntry(entry: KeyedEntry, resolver: TypeResolver): readonly [Value, Value] {
  return [interpretExpression(entry.key, resolver), interpretExpression(entry.value, resolver)];
}

function negate(value: Value, expression: Expression): Value {
  if (isInteger(value)) return -value;
  if (value instanceof Float) return new Float(-value.value);
  throw invalidSpecification(expression);
}

/** Finds a type by name, the language's own first. */
export function findType(name: string, resolver: TypeResolver): PuppetType | undefined {
  return findBuiltinType(name) ?? resolver.findAlias(name);
}

function interpretAccess(expression: AccessExpression, resolver: TypeResolver): Value {
  const { left } = expression;
  const keys = expression.keys.map((key) => interpretExpression(key, resolver));
  if (left.kind !== 'QualifiedReference') throw invalidSpecification(expression);
  const type = findType(left.value, resolver);
  if (type === undefined) return new TypeReferenceType(renderExpression(expression));
  return specializeType(type, keys, {
    name: left.value,
    resolver,
    invalid: () => invalidSpecification(expression),
  });
}

function invalidSpecification(expression: Expression): Error {
  const text = renderExpression(expression);
  return fault(`The expression <${text}> is not a valid type specification.`, 'invalid_type_specification');
}
