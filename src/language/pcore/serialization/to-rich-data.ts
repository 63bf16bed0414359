/** Values as data that JSON can hold: with marks for what JSON does not know, or as text. */

import { fault } from '../fault.ts';
import { plainText } from '../formats/plain-text.ts';
import { stringify } from '../formats/stringify.ts';
import { PuppetType } from '../puppet-type.ts';
import { rubyClassName } from '../resolution/ruby-class-name.ts';
import { ObjectType } from '../types/object-type.ts';
import { type StructElement, StructType } from '../types/struct-type.ts';
import { TypeSetType } from '../types/type-set-type.ts';
import { Float, isArray, isDefault, isInteger, OpaqueValue, PuppetHash, type Value } from '../value.ts';
import { BinaryValue } from '../values/binary-value.ts';
import { ByteString, isText, textOf as textOfString } from '../values/byte-string.ts';
import { ObjectInstance } from '../values/object-instance.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { SemVerValue } from '../values/semver-value.ts';
import { SensitiveValue } from '../values/sensitive-value.ts';
import { TimespanValue } from '../values/timespan-value.ts';
import { TimestampValue } from '../values/timestamp-value.ts';
import { UriValue } from '../values/uri-value.ts';
import { jsonPath, type PathKey } from './json-path.ts';
import { objectTypeHash } from './object-type-data.ts';
import { typeAttributes } from './type-attributes.ts';

export const PTYPE = '__ptype';
export const PVALUE = '__pvalue';

export interface RichDataOptions {
  /** `false`: what JSON does not know becomes text, with a warning. `true` when absent. */
  readonly isRich?: boolean;
  /** Whether a collection that occurs twice is written once. `false` when absent. */
  readonly hasLocalReferences?: boolean;
  /** Whether an object's type is written as its name. `true` when absent. */
  readonly isTypeByReference?: boolean;
  /** Whether Ruby symbols become strings without a warning. `false` when absent. */
  readonly areSymbolsText?: boolean;
  /** What the value belongs to, for warnings: `File[/a]`. */
  readonly messagePrefix?: string;
  readonly warn?: (message: string) => void;
}

/** @returns a value made of undef, booleans, numbers, strings, arrays, and hashes with string keys */
export function toData(value: Value, options: RichDataOptions = {}): Value {
  return new DataWriter(options).write(value);
}

class DataWriter {
  private readonly options: RichDataOptions;
  private readonly isRich: boolean;
  private readonly path: PathKey[] = [];
  private readonly known = new Map<object, string>();
  private readonly pending = new Set<object>();

  constructor(options: RichDataOptions) {
    this.options = options;
    this.isRich = options.isRich ?? true;
  }

  write(value: Value): Value {
    if (value === null || typeof value !== 'object' || value instanceof Float) return value;
    if (isDefault(value)) return this.writeDefault();
    if (value instanceof ByteString) return this.writeBytes(value);
    if (isArray(value)) return this.once(value, () => value.map((item, index) => this.at(index, item)));
    if (value instanceof PuppetHash) return this.once(value, () => this.writeHash(value));
    if (value instanceof SensitiveValue) {
      return this.once(value, () => marked('Sensitive', this.write(value.unwrap())));
    }
    return this.isRich ? this.writeRich(value as PuppetType | OpaqueValue) : this.writeText(value);
  }

  private at(key: PathKey, value: Value): Value {
    this.path.push(key);
    const data = this.write(value);
    this.path.pop();
    return data;
  }

  /** Ends endless recursion; with local references a second occurrence refers to the first. */
  private once(value: object, make: () => Value): Value {
    if (this.options.hasLocalReferences === true) {
      const first = this.known.get(value);
      if (first !== undefined) return marked('LocalRef', first);
      this.known.set(value, jsonPath(this.path));
      return make();
    }
    if (this.pending.has(value))
      throw fault('Endless recursion detected when attempting to serialize value of class Hash');
    this.pending.add(value);
    const data = make();
    this.pending.delete(value);
    return data;
  }

  private get place(): string {
    return (this.options.messagePrefix ?? '') + jsonPath(this.path).slice(1);
  }

  /** JSON has no words for bytes: text that stood for them would be silently wrong. */
  private writeBytes(value: ByteString): Value {
    if (this.isRich) return marked('Binary', value.toBinary().toString());
    const text = value.asText();
    if (text !== undefined) return text;
    const what = this.place === '' ? 'a String' : this.place;
    throw fault(
      `${what} has bytes that are not UTF-8, which only rich data can hold: source sequence is illegal/malformed utf-8`,
    );
  }

  private writeDefault(): Value {
    if (this.isRich) return PuppetHash.from({ [PTYPE]: 'Default' });
    this.options.warn?.(
      `${this.place} contains the special value default. It will be converted to the String 'default'`,
    );
    return 'default';
  }

  private writeHash(hash: PuppetHash): Value {
    const isPlain = [...hash.keys()].every((key) => isText(key) && key !== PTYPE);
    if (!isPlain && this.isRich) return this.writeKeyedHash(hash);
    const data = new PuppetHash();
    for (const [key, item] of hash) {
      const name = textOfString(key) ?? this.writeKey(key);
      data.set(name, this.at(name, item));
    }
    return data;
  }

  /** Keys that are no strings: keys and values in turn. */
  private writeKeyedHash(hash: PuppetHash): Value {
    const items: Value[] = [];
    for (const [key, item] of hash) {
      const name = this.write(key);
      items.push(name, this.at(typeof name === 'string' || isInteger(name) ? name : String(name), item));
    }
    return marked('Hash', items);
  }

  private writeKey(key: Value): string {
    if (isDefault(key)) return 'default';
    const text = textOf(key);
    const kind = kindOf(key);
    this.options.warn?.(
      `${this.place} contains a hash with ${articleFor(kind)} ${kind} key. It will be converted to the String '${text}'`,
    );
    return text;
  }

  private writeText(value: Value): Value {
    const text = textOf(value);
    const kind = kindOf(value);
    if (kind === 'Symbol' && this.options.areSymbolsText === true) return text;
    this.options.warn?.(
      `${this.place} contains ${articleFor(kind)} ${kind} value. It will be converted to the String '${text}'`,
    );
    return text;
  }

  private writeRich(value: PuppetType | OpaqueValue): Value {
    if (value instanceof PuppetType) return this.once(value, () => this.writeType(value));
    if (value instanceof ObjectInstance) return this.once(value, () => this.writeObject(value));
    const name = textKind(value);
    if (name === undefined) return this.writeText(value);
    return marked(name, value instanceof RegexpValue ? value.source : plainText(value));
  }

  private writeObject(object: ObjectInstance): Value {
    const { type } = object;
    const name = this.options.isTypeByReference === false ? this.at(PTYPE, type) : type.name;
    const data = new PuppetHash([[PTYPE, name]]);
    const attributes = type.parameters.map((attribute) => ({
      name: attribute.name,
      value: object.attribute(attribute.name) ?? null,
      isDefault: object.hasDefault(attribute),
    }));
    return this.writeAttributes(data, attributes);
  }

  private writeType(type: PuppetType): Value {
    const data = PuppetHash.from({ [PTYPE]: `Pcore::${WRITTEN_KINDS[type.kind] ?? type.kind}Type` });
    if (type instanceof ObjectType) {
      return data.set('_pcore_init_hash', this.at('_pcore_init_hash', objectTypeHash(type)));
    }
    if (type instanceof TypeSetType) {
      // Type sets cannot be written; the words are the reference's.
      throw fault(
        "Initializer for class Puppet::Pops::Types::PTypeSetType parameter 'name_or_init_hash' does not match any of the the attributes of type Pcore::TypeSetType",
      );
    }
    if (type instanceof StructType)
      return data.set(
        'elements',
        type.elements.map((each) => this.writeElement(each)),
      );
    return this.writeAttributes(data, typeAttributes(type));
  }

  private writeElement({ keyType, valueType }: StructElement): Value {
    return PuppetHash.from({
      [PTYPE]: 'Pcore::StructElement',
      key_type: this.at('key_type', keyType),
      value_type: this.at('value_type', valueType),
    });
  }

  /** Those at the end that have their default are left out. */
  private writeAttributes(
    data: PuppetHash,
    attributes: readonly { readonly name: string; readonly value: Value; readonly isDefault: boolean }[],
  ): Value {
    const count = attributes.findLastIndex((attribute) => !attribute.isDefault) + 1;
    for (const { name, value } of attributes.slice(0, count)) {
      data.set(name, this.at(name, value));
    }
    return data;
  }
}

/** The reference cuts the name of the class where it expects another ending. */
const WRITTEN_KINDS: Readonly<Record<string, string>> = { ObjectTypeExtension: 'ObjectTypeExten' };

/** The mark of values that a string says all of. */
function textKind(value: OpaqueValue): string | undefined {
  if (value instanceof RegexpValue) return 'Regexp';
  if (value instanceof BinaryValue) return 'Binary';
  if (value instanceof SemVerValue) return 'SemVer';
  if (value instanceof SemVerRangeValue) return 'SemVerRange';
  if (value instanceof TimespanValue) return 'Timespan';
  if (value instanceof TimestampValue) return 'Timestamp';
  return value instanceof UriValue ? 'URI' : undefined;
}

function kindOf(value: Value): string {
  const name = rubyClassName(value);
  return name === '' ? 'Anonymous Class' : name;
}

function marked(type: string, value: Value): PuppetHash {
  return PuppetHash.from({ [PTYPE]: type, [PVALUE]: value });
}

function textOf(value: Value): string {
  return value instanceof RegexpValue ? value.toLiteral() : value === null ? '' : stringify(value);
}

function articleFor(word: string): string {
  return /^[AEIOUYaeiouy]/.test(word) ? 'an' : 'a';
}
