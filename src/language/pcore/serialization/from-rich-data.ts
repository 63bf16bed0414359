/** Data with marks as the values that they stand for. */

import type { NewContext } from '../conversions/constructor.ts';
import { newInstance } from '../conversions/new-instance.ts';
import { fault } from '../fault.ts';
import type { PuppetType } from '../puppet-type.ts';
import { NO_ALIASES, type TypeResolver } from '../resolution/interpret.ts';
import { parseType } from '../resolution/parse-type.ts';
import { rubyClassName } from '../resolution/ruby-class-name.ts';
import { DEFAULT, isArray, isInteger, PuppetHash, type Value } from '../value.ts';
import { BinaryValue } from '../values/binary-value.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SensitiveValue } from '../values/sensitive-value.ts';
import { parseJsonPath } from './json-path.ts';
import { PTYPE, PVALUE } from './to-rich-data.ts';
import { typeFromData } from './type-from-data.ts';

export interface FromDataOptions {
  readonly resolver?: TypeResolver;
  /** Whether hashes of unknown types are left as they are. */
  readonly isUnresolvedAllowed?: boolean;
}

const NO_CLOCK: NewContext = { now: () => 0 };

/** @throws PuppetError for a type that is not known, or data that makes no value of its type */
export function fromData(data: Value, options: FromDataOptions = {}): Value {
  return new DataReader(data, options).read(data);
}

class DataReader {
  private readonly root: Value;
  private readonly resolver: TypeResolver;
  private readonly isUnresolvedAllowed: boolean;

  constructor(root: Value, { resolver = NO_ALIASES, isUnresolvedAllowed = false }: FromDataOptions) {
    this.root = root;
    this.resolver = resolver;
    this.isUnresolvedAllowed = isUnresolvedAllowed;
  }

  read(data: Value): Value {
    if (isArray(data)) return data.map((item) => this.read(item));
    if (!(data instanceof PuppetHash)) return data;
    const mark = data.get(PTYPE);
    if (typeof mark === 'string') return this.readMarked(mark, data);
    if (mark instanceof PuppetHash) return this.make(this.read(mark), data);
    return new PuppetHash([...data].map(([key, item]): readonly [Value, Value] => [key, this.read(item)]));
  }

  private readMarked(mark: string, data: PuppetHash): Value {
    const value = data.get(PVALUE) ?? null;
    switch (mark) {
      case 'Hash':
        return this.readHash(value);
      case 'Sensitive':
        return new SensitiveValue(this.read(value));
      case 'Default':
        return DEFAULT;
      case 'Symbol':
        return value;
      case 'Regexp':
        return new RegexpValue(String(value));
      case 'Binary':
        return BinaryValue.fromBase64(String(value));
      case 'LocalRef':
        return this.readReference(String(value));
      default:
        return this.readTyped(mark, data);
    }
  }

  private readHash(items: Value): Value {
    const hash = new PuppetHash();
    if (!isArray(items)) return hash;
    for (let index = 0; index < items.length; index += 2) {
      hash.set(this.read(items[index] ?? null), this.read(items[index + 1] ?? null));
    }
    return hash;
  }

  private readReference(path: string): Value {
    let target: Value = this.root;
    for (const key of parseJsonPath(path) ?? []) {
      const next: Value | undefined = isArray(target)
        ? isInteger(key)
          ? target[Number(key)]
          : undefined
        : target instanceof PuppetHash
          ? target.get(key)
          : undefined;
      if (next === undefined) throw fault(`Unable to parse jsonpath "${path}"`);
      target = next;
    }
    return this.read(target);
  }

  private readTyped(mark: string, data: PuppetHash): Value {
    if (mark.startsWith('Pcore::')) {
      const type = typeFromData(mark, this.attributesOf(data));
      if (type !== undefined) return type;
    }
    const type = parseType(mark, this.resolver);
    if (type.kind !== 'TypeReference') return this.make(type, data);
    if (this.isUnresolvedAllowed) return data;
    throw fault(`No implementation mapping found for Puppet Type ${mark}`);
  }

  private attributesOf(data: PuppetHash): PuppetHash {
    const others = [...data].filter(([key]) => key !== PTYPE);
    return new PuppetHash(others.map(([key, item]): readonly [Value, Value] => [key, this.read(item)]));
  }

  private make(type: Value, data: PuppetHash): Value {
    if (type === null || typeof type !== 'object' || !('isInstance' in type)) {
      if (this.isUnresolvedAllowed) return data;
      throw fault(`Unable to deserialize type from ${String(type)}`);
    }
    const value = data.get(PVALUE);
    if (value === undefined) return newInstance(type, [this.attributesOf(data)], NO_CLOCK);
    if (typeof value === 'string') return newInstance(type, [value], NO_CLOCK);
    throw fault(`Cannot create a ${(type as PuppetType).name} from a ${rubyClassName(value)}`);
  }
}
