import type { Expression, TypeAlias, TypeDefinition } from '../../syntax/index.ts';
import { fault } from '../fault.ts';
import { plainText } from '../formats/plain-text.ts';
import type { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { ObjectType } from '../types/object-type.ts';
import { TypeSetType } from '../types/type-set-type.ts';
import { PuppetHash, type Value } from '../value.ts';
import {
  findType,
  interpretExpression,
  resolveTypeExpression,
  type TypeContext,
  type TypeResolver,
  typeContext,
} from './interpret.ts';
import { openText } from './tree-text.ts';
import { typeSetOf } from './type-set.ts';

/**
 * The type that `type Name = ...` or `type Name { ... }` declares. Aliases and Object types are read at first
 * use, see `checkType`.
 *
 * @param source - the text that the declaration stands in
 * @throws PuppetError about a type set that is wrong
 */
export function declareType(
  declaration: TypeAlias | TypeDefinition,
  source: string,
  resolver: TypeResolver,
): PuppetType {
  const { name } = declaration;
  const context = typeContext(source, resolver);
  if (declaration.kind === 'TypeDefinition') {
    return new ObjectType(name, () => definitionOf(declaration.body, declaration.parent, context));
  }
  return declareNamed(name, declaration.typeExpr, {
    ...context,
    textOf: (expression) => aliasText(declaration, source, expression) ?? context.textOf(expression),
  });
}

/** The reference takes what an alias stands for to begin at its name, and to end before the last bracket. */
function aliasText(
  { offset, typeExpr }: TypeAlias,
  source: string,
  expression: Expression,
): string | undefined {
  if (expression !== typeExpr || expression.kind !== 'AccessExpression') return undefined;
  return openText(source, offset, expression.keys);
}

function declareNamed(name: string, typeExpr: Expression, context: TypeContext): PuppetType {
  if (typeExpr.kind === 'LiteralHash')
    return new ObjectType(name, () => definitionOf(typeExpr, undefined, context));
  const [key] = typeExpr.kind === 'AccessExpression' ? typeExpr.keys : [];
  const kind = metaKind(typeExpr);
  if (kind === 'object' && key !== undefined) return new ObjectType(name, () => initializer(key, context));
  if (kind === 'typeset' && key !== undefined) return declareTypeSet(name, key, context);
  return new AliasType(name, () => resolveTypeExpression(typeExpr, context));
}

/** `Object[...]` and `TypeSet[...]` make types of their own; an alias would only be another name. */
function metaKind(expression: Expression): string | undefined {
  if (expression.kind !== 'AccessExpression' || expression.left.kind !== 'QualifiedReference')
    return undefined;
  return expression.left.value.toLowerCase();
}

/** The members of a set see each other, by their names in the set. */
function declareTypeSet(name: string, body: Expression, outer: TypeContext): TypeSetType {
  if (body.kind !== 'LiteralHash') return typeSetOf(interpretExpression(body, outer), outer, name);
  const members: { set?: TypeSetType } = {};
  const context: TypeContext = {
    ...outer,
    findAlias: (wanted) => outer.findAlias(wanted) ?? members.set?.find(wanted),
  };
  const definition = new PuppetHash(
    body.entries.map(({ key, value }) => {
      const section = interpretExpression(key, context);
      if (value.kind !== 'LiteralHash') return [section, interpretExpression(value, context)] as const;
      if (section !== 'types' && section !== 'references')
        return [section, interpretExpression(value, context)] as const;
      const entries = value.entries.map((entry): readonly [Value, Value] => {
        const simple = simpleName(entry.key, context);
        if (section === 'references') return [simple, interpretExpression(entry.value, context)];
        return [simple, declareMember(`${name}::${plainText(simple)}`, entry.value, context)];
      });
      return [section, new PuppetHash(entries)] as const;
    }),
  );
  members.set = typeSetOf(definition, outer, name);
  return members.set;
}

function simpleName(key: Expression, context: TypeContext): Value {
  return key.kind === 'QualifiedReference' ? key.value : interpretExpression(key, context);
}

/** `Parent { attributes => ... }` is an Object type, too. */
function declareMember(name: string, value: Expression, context: TypeContext): PuppetType {
  if (value.kind !== 'ResourceDefaultsExpression') return declareNamed(name, value, context);
  const { typeRef, operations } = value;
  const parentName = typeRef.kind === 'QualifiedReference' ? typeRef.value : '';
  return new ObjectType(name, () => {
    const definition = new PuppetHash();
    const parent = parentName === 'Object' ? undefined : interpretExpression(typeRef, context);
    if (parent !== undefined) definition.set('parent', parent);
    for (const operation of operations) {
      if (operation.kind !== 'AttributeOperation') continue;
      definition.set(operation.attributeName, interpretExpression(operation.valueExpr, context));
    }
    return definition;
  });
}

function initializer(body: Expression, context: TypeContext): PuppetHash {
  if (body.kind === 'LiteralHash') return definitionOf(body, undefined, context);
  const got = `Puppet::AST::${body.kind}`;
  throw fault(`object initializer has wrong type, expects a Struct value, got ${got}`);
}

function definitionOf(body: Expression, parentName: string | undefined, context: TypeContext): PuppetHash {
  const value = interpretExpression(body, context);
  const definition = new PuppetHash(value instanceof PuppetHash ? value : []);
  const parent = parentName === undefined ? undefined : findType(parentName, context);
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
