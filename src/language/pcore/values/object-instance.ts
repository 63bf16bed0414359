import { fault } from '../fault.ts';
import type { PuppetType } from '../puppet-type.ts';
import type { ObjectAttribute } from '../types/object-definition.ts';
import type { ObjectType } from '../types/object-type.ts';
import { keyOf, OpaqueValue, PuppetHash, type Value } from '../value.ts';

/** @param block - calls the lambda that the call has */
export type ObjectMethod = (
  args: readonly Value[],
  block: ((args: readonly Value[]) => Value) | undefined,
) => Value;

/** An instance of an Object type: `Deferred`, `Error`, or a type that was defined with `type X = Object[...]`. */
export class ObjectInstance extends OpaqueValue {
  readonly type: ObjectType;
  private readonly given: ReadonlyMap<string, Value>;

  /** @param given - the values of attributes, already checked; attributes that are missing have their defaults */
  constructor(type: ObjectType, given: ReadonlyMap<string, Value>) {
    super();
    this.type = type;
    this.given = given;
  }

  /** The value of an attribute; `undefined` when the type has no such attribute. */
  attribute(name: string): Value | undefined {
    const attribute = this.type.attributes.get(name);
    if (attribute === undefined) return undefined;
    return this.given.get(name) ?? attribute.value ?? null;
  }

  /** Whether an attribute has the value that it has when none is given. */
  hasDefault({ name, value }: ObjectAttribute): boolean {
    return value !== undefined && keyOf(value) === keyOf(this.attribute(name) ?? null);
  }

  /** What the constructor needs to make an equal instance: attributes that do not have their defaults. */
  initHash(): PuppetHash {
    const hash = new PuppetHash();
    for (const attribute of this.type.parameters) {
      if (!this.hasDefault(attribute)) hash.set(attribute.name, this.attribute(attribute.name) ?? null);
    }
    return hash;
  }

  /** What `"${object}"` shows, for objects that are implemented here; `undefined` for the code that makes an equal one. */
  text(): string | undefined {
    return undefined;
  }

  /** What it consists of, for objects that can be iterated over. */
  items(): readonly Value[] | undefined {
    return undefined;
  }

  /** `object[keys]`; `undefined` for objects that take no keys. */
  at(_keys: readonly Value[]): Value | undefined {
    return undefined;
  }

  /** A function of the object that is implemented here. */
  method(_name: string): ObjectMethod | undefined {
    return undefined;
  }

  override inferType(): PuppetType {
    return this.type.typeOf(this);
  }

  /** @throws PuppetError for a function that has no implementation in the language */
  call(name: string): Value | undefined {
    const value = this.attribute(name);
    if (value !== undefined) return value;
    if (this.type.name === 'Error' && name === 'message') return this.attribute('msg');
    const method = this.type.functions.get(name);
    if (method !== undefined) throw fault(`no method is implemented for ${method.label}`, 'runtime_error');
    return undefined;
  }

  equalityKey(): string {
    const parts = this.type.equalityAttributes.map(
      (name) => `${name}=${keyOf(this.attribute(name) ?? null)}`,
    );
    return `Object:${this.type.isTypeInEquality ? this.type.name : ''}(${parts.join()})`;
  }
}
