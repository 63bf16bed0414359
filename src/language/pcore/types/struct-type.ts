import { PuppetType, type TypeStyle } from '../puppet-type.ts';
import { PuppetHash, type Value } from '../value.ts';
import { puppetQuote } from '../values/quote.ts';
import { HashType } from './hash-type.ts';
import { IntegerType } from './number-types.ts';
import { NotUndefType, OptionalType } from './optional-types.ts';
import { UndefType, UnitType } from './plain-types.ts';
import { StringType } from './string-type.ts';
import { TupleType } from './tuple-type.ts';
import { VariantType } from './variant-type.ts';

/** One entry of a Struct. Immutable. */
export class StructElement {
  readonly name: string;
  /** The literal string's type; inside an Optional when the key may be absent. */
  readonly keyType: PuppetType;
  readonly valueType: PuppetType;
  readonly isOptional: boolean;

  constructor(name: string, valueType: PuppetType, isOptional = false) {
    const literal = new StringType(name);
    this.name = name;
    this.keyType = isOptional ? new OptionalType(literal) : literal;
    this.valueType = valueType;
    this.isOptional = isOptional;
  }

  /** The key as printed: marked where it is not what the value's type implies. */
  renderKey(): string {
    const quoted = puppetQuote(this.name);
    const isUndefAllowed = this.valueType.isAssignable(UndefType.DEFAULT);
    if (this.isOptional === isUndefAllowed) return quoted;
    return this.isOptional ? `Optional[${quoted}]` : `NotUndef[${quoted}]`;
  }
}

export class StructType extends PuppetType {
  static readonly DEFAULT: StructType = new StructType([]);
  readonly kind = 'Struct';
  readonly elements: readonly StructElement[];
  private readonly byName: ReadonlyMap<string, StructElement>;

  constructor(elements: readonly StructElement[]) {
    super();
    this.byName = new Map(elements.map((element) => [element.name, element]));
    this.elements = elements;
  }

  find(name: string): StructElement | undefined {
    return this.byName.get(name);
  }

  /** As a Collection sees it: all elements count, optional or not. */
  get size(): IntegerType {
    return new IntegerType(this.elements.length, this.elements.length);
  }

  isInstance(value: Value): boolean {
    if (!(value instanceof PuppetHash)) return false;
    let matched = 0;
    for (const element of this.elements) {
      const item = value.get(element.name);
      if (item === undefined) {
        if (!element.isOptional) return false;
      } else if (element.valueType.isInstance(item)) matched += 1;
      else return false;
    }
    return matched === value.size;
  }

  accepts(other: PuppetType): boolean {
    if (other instanceof StructType) return this.acceptsStruct(other);
    if (!(other instanceof HashType)) return false;
    const required = this.elements.filter((element) => !element.isOptional);
    const isFitting = required.every(
      (element) =>
        element.valueType.isAssignable(other.valueType) &&
        element.keyType.generalize().isAssignable(other.keyType),
    );
    return isFitting && new IntegerType(required.length, this.elements.length).isAssignable(other.size);
  }

  private acceptsStruct(other: StructType): boolean {
    let matched = 0;
    for (const element of this.elements) {
      const theirs = other.find(element.name);
      if (theirs === undefined) {
        if (!element.isOptional) return false;
        continue;
      }
      matched += 1;
      if (theirs.isOptional && !element.isOptional) return false;
      if (!element.valueType.isAssignable(theirs.valueType)) return false;
    }
    return matched === other.elements.length;
  }

  render(style: TypeStyle): string {
    if (this.elements.length === 0) return 'Struct';
    const entries = this.elements.map(
      (element) => `${element.renderKey()} => ${element.valueType.render(style)}`,
    );
    return `Struct[{${entries.join(', ')}}]`;
  }
  override equalityKey(): string {
    const entries = this.elements.map(
      (element) =>
        `${puppetQuote(element.name)}${element.isOptional ? '?' : ''}=>${element.valueType.equalityKey()}`,
    );
    return `Struct{${entries.join()}}`;
  }
  override generalize(): PuppetType {
    return this.map((type) => type.generalize());
  }
  override normalize(): PuppetType {
    return this.map((type) => type.normalize());
  }
  private map(change: (type: PuppetType) => PuppetType): PuppetType {
    const elements = this.elements.map((element) => {
      const type = change(element.valueType);
      return type === element.valueType ? element : new StructElement(element.name, type, element.isOptional);
    });
    return elements.every((element, index) => element === this.elements[index])
      ? this
      : new StructType(elements);
  }
  override isIterable(): boolean {
    return true;
  }
  override iterableElement(): PuppetType {
    const types =
      this.elements.length === 0
        ? [UnitType.DEFAULT, UnitType.DEFAULT]
        : [
            VariantType.of(this.elements.map((element) => element.keyType)),
            VariantType.of(this.elements.map((element) => element.valueType)),
          ];
    return new TupleType(types, new IntegerType(2, 2));
  }
  override parts(): readonly PuppetType[] {
    return this.elements.flatMap((element) => [element.keyType, element.valueType]);
  }
}

/** `Optional['a']` as a key, from what may stand there; `undefined` when it names no single string. */
export function literalKey(
  key: PuppetType,
): { readonly name: string; readonly isOptional: boolean } | undefined {
  const content = key instanceof NotUndefType || key instanceof OptionalType ? key.type : key;
  if (!(content instanceof StringType) || content.value === undefined) return undefined;
  return { name: content.value, isOptional: key instanceof OptionalType };
}
