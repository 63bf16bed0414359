/** What upper-case names mean in an environment: types of the language, aliases, resource types. */

import { capitalizeSegments } from '../../catalog/index.ts';
import type { AttachmentKey, Environment } from '../../environment/index.ts';
import { LOOKUP_CONTEXT_TYPE } from '../../hiera/index.ts';
import {
  declareType,
  findBuiltinType,
  type PuppetType,
  ResourceType,
  type TypeResolver,
  TypeSetType,
} from '../../pcore/index.ts';

export class TypeNames {
  readonly resolver: TypeResolver;
  private readonly environment: Environment;
  private readonly added: TypeResolver | undefined;
  private readonly known = new Map<string, PuppetType | undefined>();

  /** @param added - types that are known besides those of the language */
  constructor(environment: Environment, added?: TypeResolver) {
    this.environment = environment;
    this.added = added;
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
    if (type === undefined && name.includes('::')) return this.memberOfSet(name);
    this.known.set(name, type);
    return type;
  }

  /**
   * `Set::Type` of a set in a file of its own; one of the main manifest is known as soon as the set is, as in the
   * reference, and may yet become known.
   */
  private memberOfSet(name: string): PuppetType | undefined {
    const end = name.lastIndexOf('::');
    const parent = name.slice(0, end);
    const set =
      this.known.get(parent) ?? (this.environment.isTypeInFile(parent) ? this.findNamed(parent) : undefined);
    if (!(set instanceof TypeSetType)) return undefined;
    for (const [simple, type] of set.types) if (simple.toLowerCase() === name.slice(end + 2)) return type;
    return undefined;
  }

  private load(name: string): PuppetType | undefined {
    if (name === 'puppet::lookupcontext') return LOOKUP_CONTEXT_TYPE;
    const added = this.added?.findAlias(name);
    if (added !== undefined) return added;
    const { environment } = this;
    const alias = environment.findTypeAlias(name);
    if (alias !== undefined) return declareType(alias.definition, alias.program.source.text, this.resolver);
    const isNative =
      !name.includes(':') &&
      (environment.findResourceType(name) !== undefined || environment.rubyTypeFile(name) !== undefined);
    if (!isNative && environment.findDefinedType(name) === undefined) return undefined;
    return new ResourceType(capitalizeSegments(name));
  }
}

/** Lives as long as the version of the environment. */
export const typesOf: AttachmentKey<TypeNames> = { create: (environment) => new TypeNames(environment) };
