import { PuppetType, type TypeNamer, type TypeStyle } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { puppetQuote } from '../values/quote.ts';

/** What a set of types says of itself. */
export interface TypeSetHeader {
  readonly name: string;
  readonly pcoreUri?: string;
  readonly pcoreVersion: string;
  readonly nameAuthority?: string;
  readonly version?: string;
}

/** Another set that a set refers to by a name of its own. */
export interface TypeSetReference {
  readonly name: string;
  /** A range of versions, as written. */
  readonly versionRange: string;
  readonly nameAuthority?: string;
  /** @throws PuppetError when there is no such set, or its version does not fit */
  readonly resolve: () => TypeSetType;
}

/** A named set of types, each of which is found as `Set::Type`. */
export class TypeSetType extends PuppetType implements TypeNamer {
  static readonly DEFAULT: TypeSetType = new TypeSetType({
    name: 'DefaultTypeSet',
    pcoreUri: 'http://puppet.com/2016.1/pcore',
    pcoreVersion: '1.0.0',
    nameAuthority: 'http://puppet.com/2016.1/runtime',
    version: '0.0.0',
  });
  readonly kind = 'TypeSet';
  readonly header: TypeSetHeader;
  /** By simple name, as written. */
  readonly types: ReadonlyMap<string, PuppetType>;
  readonly references: ReadonlyMap<string, TypeSetReference>;
  private readonly byKey: ReadonlyMap<string, PuppetType>;

  constructor(
    header: TypeSetHeader,
    types: ReadonlyMap<string, PuppetType> = new Map(),
    references: ReadonlyMap<string, TypeSetReference> = new Map(),
  ) {
    super();
    this.references = references;
    this.header = header;
    this.types = types;
    this.byKey = new Map([...types].map(([key, type]) => [key.toLowerCase(), type]));
  }

  override get name(): string {
    return this.header.name;
  }

  /** @param name - relative to the set, in any case */
  find(name: string): PuppetType | undefined {
    const key = name.toLowerCase();
    const own = this.byKey.get(key);
    if (own !== undefined) return own;
    const [first = '', ...rest] = key.split('::');
    for (const [alias, reference] of this.references) {
      if (alias.toLowerCase() !== first) continue;
      const set = reference.resolve();
      return rest.length === 0 ? set : set.find(rest.join('::'));
    }
    return undefined;
  }

  nameFor(type: PuppetType): string | undefined {
    for (const [name, member] of this.types) if (member === type) return name;
    for (const [alias, reference] of this.references) {
      const name = reference.resolve().nameFor(type);
      if (name !== undefined) return `${alias}::${name}`;
    }
    return undefined;
  }

  isInstance(value: Value): boolean {
    return value instanceof TypeSetType && this.accepts(value);
  }
  accepts(other: PuppetType): boolean {
    if (!(other instanceof TypeSetType)) return false;
    return this === TypeSetType.DEFAULT || this.header.name === other.header.name;
  }

  render(style: TypeStyle): string {
    const { pcoreUri, pcoreVersion, nameAuthority, name, version } = this.header;
    const parts = [
      ...(pcoreUri === undefined ? [] : [`pcore_uri => ${puppetQuote(pcoreUri)}`]),
      `pcore_version => ${puppetQuote(pcoreVersion)}`,
      ...(nameAuthority === undefined ? [] : [`name_authority => ${puppetQuote(nameAuthority)}`]),
      `name => ${puppetQuote(name)}`,
      ...(version === undefined ? [] : [`version => ${puppetQuote(version)}`]),
    ];
    if (this.types.size > 0) {
      const types = [...this.types].map(
        ([key, type]) => `${key} => ${type.render({ ...style, within: this })}`,
      );
      parts.push(`types => {${types.join(', ')}}`);
    }
    if (this.references.size > 0) {
      const references = [...this.references].map(([alias, each]) => `${alias} => ${referenceText(each)}`);
      parts.push(`references => {${references.join(', ')}}`);
    }
    return `TypeSet[{${parts.join(', ')}}]`;
  }
  override toString(): string {
    return this.toExpandedString();
  }
  override equalityKey(): string {
    return `TypeSet:${this.header.name}`;
  }
}

function referenceText({ name, versionRange, nameAuthority }: TypeSetReference): string {
  const authority = nameAuthority === undefined ? [] : [`'name_authority' => ${puppetQuote(nameAuthority)}`];
  const parts = [
    ...authority,
    `'name' => ${puppetQuote(name)}`,
    `'version_range' => ${puppetQuote(versionRange)}`,
  ];
  return `{${parts.join(', ')}}`;
}
