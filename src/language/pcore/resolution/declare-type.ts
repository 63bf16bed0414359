import type { Expression, TypeAlias, TypeDefinition } from '../../syntax/index.ts';
import { plainText } from '../formats/plain-text.ts';
import type { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { ObjectType } from '../types/object-type.ts';
import { TypeSetType } from '../types/type-set-type.ts';
import { PuppetHash, type Value } from '../value.ts';
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
  return declareNamed(name, declaration.typeExpr, resolver);
}

function declareNamed(name: string, typeExpr: Expression, resolver: TypeResolver): PuppetType {
  if (typeExpr.kind === 'LiteralHash')
    return new ObjectType(name, () => definitionOf(typeExpr, undefined, resolver));
  const [key] = typeExpr.kind === 'AccessExpression' ? typeExpr.keys : [];
  const kind = metaKind(typeExpr);
  if (kind === 'object' && key !== undefined)
    return new ObjectType(name, () => definitionOf(key, undefined, resolver));
  if (kind === 'typeset' && key !== undefined) return declareTypeSet(name, key, resolver);
  return new AliasType(name, () => resolveTypeExpression(typeExpr, resolver));
}

/** `Object[...]` and `TypeSet[...]` make types of their own; an alias would only be another name. */
function metaKind(expression: Expression): string | undefined {
  if (expression.kind !== 'AccessExpression' || expression.left.kind !== 'QualifiedReference')
    return undefined;
  return expression.left.value.toLowerCase();
}

/** The members of a set see each other, by their names in the set. */
function declareTypeSet(name: string, body: Expression, outer: TypeResolver): TypeSetType {
  if (body.kind !== 'LiteralHash') return typeSetOf(interpretExpression(body, outer), outer, name);
  const members: { set?: TypeSetType } = {};
  const resolver: TypeResolver = {
    findAlias: (wanted) => outer.findAlias(wanted) ?? members.set?.find(wanted),
  };
  const definition = new PuppetHash(
    body.entries.map(({ key, value }) => {
      const section = interpretExpression(key, resolver);
      if (value.kind !== 'LiteralHash') return [section, interpretExpression(value, resolver)] as const;
      if (section !== 'types' && section !== 'references')
        return [section, interpretExpression(value, resolver)] as const;
      const entries = value.entries.map((entry): readonly [Value, Value] => {
        const simple = simpleName(entry.key, resolver);
        if (section === 'references') return [simple, interpretExpression(entry.value, resolver)];
        return [simple, declareMember(`${name}::${plainText(simple)}`, entry.value, resolver)];
      });
      return [section, new PuppetHash(entries)] as const;
    }),
  );
  members.set = typeSetOf(definition, outer, name);
  return members.set;
}

function simpleName(key: Expression, resolver: TypeResolver): Value {
  return key.kind === 'QualifiedReference' ? key.value : interpretExpression(key, resolver);
}

/** `Parent { attributes => ... }` is an Object type, too. */
function declareMember(name: string, value: Expression, resolver: TypeResolver): PuppetType {
  if (value.kind !== 'ResourceDefaultsExpression') return declareNamed(name, value, resolver);
  const { typeRef, operations } = value;
  const parentName = typeRef.kind === 'QualifiedReference' ? typeRef.value : '';
  return new ObjectType(name, () => {
    const definition = new PuppetHash();
    const parent = parentName === 'Object' ? undefined : interpretExpression(typeRef, resolver);
    if (parent !== undefined) definition.set('parent', parent);
    for (const operation of operations) {
      if (operation.kind !== 'AttributeOperation') continue;
      definition.set(operation.attributeName, interpretExpression(operation.valueExpr, resolver));
    }
    return definition;
  });
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
  else if (type instanceof TypeSetType) {
    for (const reference of type.references.values()) reference.resolve();
    for (const member of type.types.values()) checkType(member);
  }
  return type;
}
