/** What upper-case names mean in an environment: types of the language, aliases, resource types. */

import { capitalizeSegments } from '../../catalog/index.ts';
import type { AttachmentKey, Environment, Found } from '../../environment/index.ts';
import {
  AliasType,
  findBuiltinType,
  interpretExpression,
  ObjectType,
  PuppetHash,
  type PuppetType,
  ResourceType,
  resolveTypeExpression,
  type TypeResolver,
  typeSetOf,
} from '../../pcore/index.ts';
import type { Expression, TypeAlias, TypeDefinition } from '../../syntax/index.ts';

export class TypeNames {
  readonly resolver: TypeResolver;
  private readonly environment: Environment;
  private readonly known = new Map<string, PuppetType | undefined>();

  constructor(environment: Environment) {
    this.environment = environment;
    this.resolver = { findAlias: (name) => this.findNamed(name) };
  }

  /** Any type by name, in any case; `undefined` when there is none. */
  find(name: string): PuppetType | undefined {
    return findBuiltinType(name) ?? this.findNamed(name);
  }

  private findNamed(written: string): PuppetType | undefined {
    const name = written.replace(/^::/, '').toLowerCase();
    const known = this.known.get(name);
    if (known !== undefined || this.known.has(name)) return known;
    const type = this.load(name);
    this.known.set(name, type);
    return type;
  }

  private load(name: string): PuppetType | undefined {
    const { environment } = this;
    const alias = environment.findTypeAlias(name);
    if (alias !== undefined) return this.define(alias);
    const isNative =
      !name.includes(':') &&
      (environment.findResourceType(name) !== undefined || environment.rubyTypeFile(name) !== undefined);
    if (!isNative && environment.findDefinedType(name) === undefined) return undefined;
    return new ResourceType(capitalizeSegments(name));
  }

  private define({ definition }: Found<TypeAlias | TypeDefinition>): PuppetType {
    const { name } = definition;
    const body =
      definition.kind === 'TypeDefinition' ? definition.body : bodyOf(definition.typeExpr, 'object');
    if (body !== undefined) {
      const parent = definition.kind === 'TypeDefinition' ? definition.parent : undefined;
      return new ObjectType(name, () => this.objectDefinition(body, parent));
    }
    const { typeExpr } = definition as TypeAlias;
    const members = bodyOf(typeExpr, 'typeset');
    if (members !== undefined) {
      return typeSetOf(interpretExpression(members, this.resolver), this.resolver, name);
    }
    return new AliasType(name, () => resolveTypeExpression(typeExpr, this.resolver));
  }

  private objectDefinition(body: Expression, parentName: string | undefined): PuppetHash {
    const value = interpretExpression(body, this.resolver);
    const definition = new PuppetHash(value instanceof PuppetHash ? value : []);
    const parent = parentName === undefined ? undefined : this.find(parentName);
    return parent === undefined ? definition : definition.set('parent', parent);
  }
}

/** The hash of `Object[{...}]` or `TypeSet[{...}]`: such an alias is a type of its own. */
function bodyOf(expression: Expression, kind: 'object' | 'typeset'): Expression | undefined {
  if (expression.kind !== 'AccessExpression' || expression.left.kind !== 'QualifiedReference')
    return undefined;
  return expression.left.value.toLowerCase() === kind ? expression.keys[0] : undefined;
}

/** Lives as long as the version of the environment. */
export const typesOf: AttachmentKey<TypeNames> = { create: (environment) => new TypeNames(environment) };
