/** Which type has which constructor. */

import type { Signature } from '../mismatch/describe-signatures.ts';
import type { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { ObjectExtensionType, ObjectType } from '../types/object-type.ts';
import { NotUndefType, OptionalType } from '../types/optional-types.ts';
import type { Constructor } from './constructor.ts';
import { NEW_ARRAY, NEW_HASH } from './new-collection.ts';
import { NEW_BOOLEAN, NEW_FLOAT, NEW_INTEGER, NEW_NUMERIC } from './new-number.ts';
import { objectConstructor } from './new-object.ts';
import {
  NEW_BINARY,
  NEW_REGEXP,
  NEW_SEMVER,
  NEW_SEMVER_RANGE,
  NEW_SENSITIVE,
  NEW_STRING,
  NEW_TYPE,
  NEW_UNIT,
  NEW_URI,
} from './new-other.ts';
import { NEW_TIMESPAN, NEW_TIMESTAMP } from './new-time.ts';

/** The constructor of a type; `undefined` when it has none. */
export function constructorOf(type: PuppetType): Constructor | undefined {
  if (type instanceof AliasType) return constructorOf(type.resolved);
  if (type instanceof OptionalType) return type.type === undefined ? undefined : constructorOf(type.type);
  if (type instanceof NotUndefType) return type.type === undefined ? NEW_UNIT : constructorOf(type.type);
  if (type instanceof ObjectExtensionType) return objectConstructor(type.base);
  if (type instanceof ObjectType) return type === ObjectType.DEFAULT ? undefined : objectConstructor(type);
  return byKind(type.kind);
}

/** How `new` of a type may be called. */
export function constructorSignatures(type: PuppetType): readonly Signature[] | undefined {
  return constructorOf(type)?.signatures;
}

function byKind(kind: string): Constructor | undefined {
  switch (kind) {
    case 'Array':
    case 'Tuple':
      return NEW_ARRAY;
    case 'Hash':
    case 'Struct':
      return NEW_HASH;
    case 'Binary':
      return NEW_BINARY;
    case 'Boolean':
      return NEW_BOOLEAN;
    case 'Float':
      return NEW_FLOAT;
    case 'Integer':
      return NEW_INTEGER;
    case 'Numeric':
      return NEW_NUMERIC;
    case 'Regexp':
      return NEW_REGEXP;
    case 'SemVer':
      return NEW_SEMVER;
    case 'SemVerRange':
      return NEW_SEMVER_RANGE;
    case 'Sensitive':
      return NEW_SENSITIVE;
    case 'String':
      return NEW_STRING;
    case 'Timespan':
      return NEW_TIMESPAN;
    case 'Timestamp':
      return NEW_TIMESTAMP;
    case 'Type':
      return NEW_TYPE;
    case 'Unit':
      return NEW_UNIT;
    case 'URI':
      return NEW_URI;
    default:
      return undefined;
  }
}
