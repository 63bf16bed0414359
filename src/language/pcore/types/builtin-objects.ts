/** The Object types that the language brings along: Annotation, Deferred, Error and Pcore. */

import type { PuppetType } from '../puppet-type.ts';
import { PuppetHash, type Value } from '../value.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { ArrayType } from './array-type.ts';
import { DATA } from './builtin-aliases.ts';
import { CallableType } from './callable-type.ts';
import { EnumType } from './enum-type.ts';
import { HashType } from './hash-type.ts';
import { ObjectType } from './object-type.ts';
import { NotUndefType, OptionalType } from './optional-types.ts';
import { PatternType } from './pattern-type.ts';
import { AnyType, UndefType } from './plain-types.ts';
import { RegexpType } from './regexp-type.ts';
import { StringType } from './string-type.ts';
import { TupleType } from './tuple-type.ts';
import { TypeType } from './type-type.ts';
import { VariantType } from './variant-type.ts';

function withDefault(type: PuppetType, value: Value): PuppetHash {
  return PuppetHash.from({ type, value });
}

export const DEFERRED_TYPE: ObjectType = new ObjectType('Deferred', () =>
  PuppetHash.from({
    attributes: PuppetHash.from({
      name: PuppetHash.from({
        type: new PatternType([new RegexpValue(String.raw`\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z`)]),
      }),
      arguments: withDefault(new OptionalType(new ArrayType(AnyType.DEFAULT)), null),
    }),
  }),
);

function parameterType(): PuppetType {
  const types = [EnumType.DEFAULT, PatternType.DEFAULT, NotUndefType.DEFAULT, UndefType.DEFAULT];
  return new OptionalType(
    new VariantType([StringType.DEFAULT, RegexpType.DEFAULT, ...types.map((type) => new TypeType(type))]),
  );
}

export const ERROR_TYPE: ObjectType = new ObjectType('Error', () => {
  const text = new OptionalType(StringType.NON_EMPTY);
  return PuppetHash.from({
    type_parameters: PuppetHash.from({ kind: parameterType(), issue_code: parameterType() }),
    attributes: PuppetHash.from({
      msg: StringType.NON_EMPTY,
      kind: withDefault(text, null),
      details: withDefault(new OptionalType(new HashType(StringType.NON_EMPTY, DATA)), null),
      issue_code: withDefault(text, null),
    }),
    functions: PuppetHash.from({
      message: new CallableType(new TupleType([]), undefined, StringType.NON_EMPTY),
    }),
  });
});

/** What is put on values without changing them: `annotate` makes and finds them. */
export const ANNOTATION_TYPE: ObjectType = new ObjectType('Annotation', () => new PuppetHash());

/** The type of the type system itself. */
const PCORE_TYPE: ObjectType = new ObjectType('Pcore', () => new PuppetHash());

/** By lower-case name. */
export const BUILTIN_OBJECTS: ReadonlyMap<string, PuppetType> = new Map([
  ['annotation', ANNOTATION_TYPE],
  ['deferred', DEFERRED_TYPE],
  ['error', ERROR_TYPE],
  ['pcore', PCORE_TYPE],
]);
