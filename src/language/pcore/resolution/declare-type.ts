import type { Expression, TypeAlias, TypeDefinition } from '../../syntax/index.ts';
import type { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { ObjectType } from '../types/object-type.ts';
import { PuppetHash } from '../value.ts';
import { findType, interpretExpression, resolveTypeExpression, type TypeResolver } from './interpret.ts';
import { typeSetOf } from './type-set.ts';

/**
 * The type that `type Name = ...` or `type Name { ... }` declares. Aliases and Object types are read at first
 * use, see `checkType`.
 *
 * @throws PuppetError about a type set that is wrong
 */
export function declareType(declaration: TypeAlias | TypeDefinition, resolver: TypeResolver): PuppetType {
  const { name } = declaration;
  if (declaration.kind === 'TypeDefinition') {
    return new ObjectType(name, () => definitionOf(declaration.body, declaration.parent, resolver));
  }
  const { typeExpr } = declaration;
  if (typeExpr.kind === 'LiteralHash')
    return new ObjectType(name, () => definitionOf(typeExpr, undefined, resolver));
  const [key] = typeExpr.kind === 'AccessExpression' ? typeExpr.keys : [];
  const kind = metaKind(typeExpr);
  if (kind === 'object' && key !== undefined)
    return new ObjectType(name, () => definitionOf(key, undefined, resolver));
  if (kind === 'typeset' && key !== undefined)
    return typeSetOf(interpretExpression(key, resolver), resolver, name);
  return new AliasType(name, () => resolveTypeExpression(typeExpr, resolver));
}

/** `Object[...]` and `TypeSet[...]` make types of their own; an alias would only be another name. */
function metaKind(expression: Expression): string | undefined {
  if (expression.kind !== 'AccessExpression' || expression.left.kind !== 'QualifiedReference')
    return undefined;
  return expression.left.value.toLowerCase();
}

function definitionOf(body: Expression, parentName: string | undefined, resolver: TypeResolver): PuppetHash {
  const value = interpretExpression(body, resolver);
  const definition = new PuppetHash(value instanceof PuppetHash ? value : []);
  const parent = parentName === undefined ? undefined : findType(parentName, resolver);
  return parent === undefined ? definition : definition.set('parent', parent);
}

/**
 * Reads what a type was declared with, so that mistakes are found where the type is first named.
 *
 * @throws PuppetError about a definition that is wrong
 */
export function checkType(type: PuppetType): PuppetType {
  if (type instanceof AliasType) void type.resolved;
  else if (type instanceof ObjectType) void type.definition;
  return type;
}
