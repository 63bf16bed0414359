/** The types of values that are no plain data: Sensitive, Binary, URI, Runtime. */

import { matches } from '../comparison/match.ts';
import { programText } from '../formats/program-text.ts';
import { PuppetType, type TypeStyle } from '../puppet-type.ts';
import { isArray, keyOf, PuppetHash, type Value } from '../value.ts';
import { BinaryValue } from '../values/binary-value.ts';
import { puppetQuote } from '../values/quote.ts';
import { SensitiveValue } from '../values/sensitive-value.ts';
import { URI_PARTS, UriValue } from '../values/uri-value.ts';
import { ContainingType } from './containing-type.ts';
import { AnyType } from './plain-types.ts';

/** The type of the hidden value, generalised. */
export class SensitiveType extends ContainingType {
  static readonly DEFAULT: SensitiveType = new SensitiveType();
  readonly kind = 'Sensitive';
  constructor(type: PuppetType = AnyType.DEFAULT) {
    super(type.generalize());
  }
  isInstance(value: Value): boolean {
    return value instanceof SensitiveValue && this.type?.isInstance(value.unwrap()) !== false;
  }
  accepts(other: PuppetType): boolean {
    return other instanceof SensitiveType && this.type?.isAssignable(other.type ?? AnyType.DEFAULT) !== false;
  }
  override render(style: TypeStyle): string {
    return this.type === undefined || this.type.kind === 'Any' ? 'Sensitive' : super.render(style);
  }
  protected around(type: PuppetType | undefined): PuppetType {
    return new SensitiveType(type);
  }
}

export class BinaryType extends PuppetType {
  static readonly DEFAULT: BinaryType = new BinaryType();
  readonly kind = 'Binary';
  isInstance(value: Value): boolean {
    return value instanceof BinaryValue;
  }
  accepts(other: PuppetType): boolean {
    return other instanceof BinaryType;
  }
  render(): string {
    return this.kind;
  }
}

/** `URI`, or the URIs whose parts match those given. */
export class UriType extends PuppetType {
  static readonly DEFAULT: UriType = new UriType();
  readonly kind = 'URI';
  /** Part -> string, regexp or type. */
  readonly parameters: PuppetHash | undefined;
  constructor(parameters?: PuppetHash) {
    super();
    this.parameters = parameters?.size === 0 ? undefined : parameters;
  }
  /** The type of just this URI; default ports do not count. */
  static ofValue(uri: UriValue): UriType {
    const { parts } = uri;
    const parameters = new PuppetHash();
    for (const name of URI_PARTS) {
      const part = parts[name];
      if (part === undefined || part === '') continue;
      if (name === 'port') {
        const isDefault =
          (parts.scheme === 'http' && part === 80) || (parts.scheme === 'https' && part === 443);
        if (!isDefault) parameters.set(name, String(part));
      } else parameters.set(name, name === 'host' ? String(part).toLowerCase() : part);
    }
    return new UriType(parameters);
  }
  isInstance(value: Value): boolean {
    if (!(value instanceof UriValue)) return false;
    for (const [name, wanted] of this.parameters ?? []) {
      if (!matches(value.part(String(name)), wanted)) return false;
    }
    return true;
  }
  accepts(other: PuppetType): boolean {
    if (!(other instanceof UriType)) return false;
    for (const [name, wanted] of this.parameters ?? []) {
      const given = other.parameters?.get(name);
      if (given === undefined) return false;
      const isNarrower =
        given instanceof PuppetType && wanted instanceof PuppetType && wanted.isAssignable(given);
      if (!matches(given, wanted) && !isNarrower) return false;
    }
    return true;
  }
  render(): string {
    return this.parameters === undefined ? 'URI' : `URI[${programText(this.parameters)}]`;
  }
  override generalize(): PuppetType {
    return UriType.DEFAULT;
  }
}

/** A type of the runtime that Puppet itself is written in; nothing in Puppet code is an instance. */
export class RuntimeType extends PuppetType {
  static readonly DEFAULT: RuntimeType = new RuntimeType();
  readonly kind = 'Runtime';
  readonly runtime: string | undefined;
  /** A class's name, or `[regexp, replacement]`. */
  readonly nameOrPattern: Value | undefined;
  constructor(runtime?: string, nameOrPattern?: Value) {
    super();
    this.runtime = runtime;
    this.nameOrPattern = nameOrPattern;
  }
  isInstance(_value: Value): boolean {
    return false;
  }
  /** The iterators of the reference that its type system does not know as such. */
  override isIterable(): boolean {
    return String(this.nameOrPattern ?? '').startsWith('Puppet::Pops::Types::Iterable::');
  }
  accepts(other: PuppetType): boolean {
    if (!(other instanceof RuntimeType)) return false;
    if (this.runtime !== undefined && this.runtime !== other.runtime) return false;
    if (this.nameOrPattern === undefined) return true;
    return other.nameOrPattern !== undefined && keyOf(this.nameOrPattern) === keyOf(other.nameOrPattern);
  }
  render(): string {
    if (this.runtime === undefined && this.nameOrPattern === undefined) return 'Runtime';
    const name = this.nameOrPattern ?? null;
    const printed = isArray(name) || typeof name !== 'string' ? programText(name) : puppetQuote(name);
    return `Runtime[${this.runtime ?? 'undef'}, ${printed}]`;
  }
}
