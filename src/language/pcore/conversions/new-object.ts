import { fault } from '../fault.ts';
import { mayBeAbsent, type ObjectType } from '../types/object-type.ts';
import { PuppetHash, type Value } from '../value.ts';
import { makeInstance } from '../values/builtin-instances.ts';
import { Constructor } from './constructor.ts';

/** One constructor for each type; it goes when the type goes. */
const KNOWN = new WeakMap<ObjectType, Constructor>();

/** `new` of an Object type takes a hash of attributes, or the attributes in order. */
export function objectConstructor(type: ObjectType): Constructor {
  let constructor = KNOWN.get(type);
  if (constructor === undefined) {
    constructor = makeConstructor(type);
    KNOWN.set(type, constructor);
  }
  return constructor;
}

function makeConstructor(type: ObjectType): Constructor {
  const attributes = type.parameters;
  return new Constructor({
    name: `new_${type.name}`,
    dispatches: [
      {
        parameters: [{ name: 'hash', type: type.initHashType }],
        make: ([hash]) => makeInstance(type, attributesIn(hash)),
      },
      {
        parameters: attributes.map((attribute) => ({
          name: attribute.name,
          type: attribute.type,
          isOptional: mayBeAbsent(attribute),
        })),
        make: (args) => {
          checkCount(attributes, args.length);
          const given = args.map((value, index): readonly [string, Value] => [
            attributes[index]?.name ?? '',
            value,
          ]);
          return makeInstance(type, new Map(given));
        },
      },
    ],
  });
}

/** Undef will do for them, but it has to be given. */
function checkCount(attributes: ObjectType['parameters'], given: number): void {
  const needed = attributes.filter(({ value }) => value === undefined).length;
  if (given < needed) throw fault(`wrong number of arguments (given ${given}, expected ${needed})`);
}

function attributesIn(hash: Value | undefined): ReadonlyMap<string, Value> {
  if (!(hash instanceof PuppetHash)) return new Map();
  return new Map([...hash].map(([name, value]) => [String(name), value]));
}
