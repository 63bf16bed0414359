import { PuppetType, type TypeStyle } from '../puppet-type.ts';
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

/** A named set of types, each of which is found as `Set::Type`. */
export class TypeSetType extends PuppetType {
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
  private readonly byKey: ReadonlyMap<string, PuppetType>;

  constructor(header: TypeSetHeader, types: ReadonlyMap<string, PuppetType> = new Map()) {
    super();
    this.header = header;
    this.types = types;
    this.byKey = new Map([...types].map(([key, type]) => [key.toLowerCase(), type]));
  }

  override get name(): string {
    return this.header.name;
  }

  /** @param name - relative to the set, in any case */
  find(name: string): PuppetType | undefined {
    return this.byKey.get(name.toLowerCase());
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
      const types = [...this.types].map(([key, type]) => `${key} => ${type.render(style)}`);
      parts.push(`types => {${types.join(', ')}}`);
    }
    return `TypeSet[{${parts.join(', ')}}]`;
  }
  override equalityKey(): string {
    return `TypeSet:${this.header.name}`;
  }
}
