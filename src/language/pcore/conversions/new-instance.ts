import { fault } from '../fault.ts';
import { assertInstance } from '../mismatch/assert-instance.ts';
import { describeSignatures, type Signature } from '../mismatch/describe-signatures.ts';
import type { PuppetType } from '../puppet-type.ts';
import { AliasType } from '../types/alias-type.ts';
import { CallableType } from '../types/callable-type.ts';
import { InitType } from '../types/init-type.ts';
import { NotUndefType, OptionalType } from '../types/optional-types.ts';
import { AnyType } from '../types/plain-types.ts';
import { TupleType } from '../types/tuple-type.ts';
import { isArray, type Value } from '../value.ts';
import type { NewContext } from './constructor.ts';
import { constructorOf } from './constructors.ts';

/**
 * `Type.new(args)`, also written `Type(args)`.
 *
 * @throws PuppetError when the type has no constructor, or the arguments make no value of the type
 */
export function newInstance(type: PuppetType, args: readonly Value[], context: NewContext): Value {
  const [only] = args;
  if (type instanceof AliasType) return newInstance(type.resolved, args, context);
  if (type instanceof InitType) {
    return assertInstance(
      `Converted value from ${type.toString()}.new()`,
      type,
      newInit(type, args, context),
    );
  }
  if (args.length === 1 && only !== undefined && type.isInstance(only)) return only;
  const constructor = constructorOf(type);
  if (constructor === undefined) {
    throw fault(`Creation of new instance of type '${withoutWrapping(type).toString()}' is not supported`);
  }
  return assertInstance(
    `Converted value from ${type.toString()}.new()`,
    type,
    constructor.make(args, context),
  );
}

/** Optional and NotUndef make what the type in them makes. */
function withoutWrapping(type: PuppetType): PuppetType {
  const inner = type instanceof OptionalType || type instanceof NotUndefType ? type.type : undefined;
  return inner === undefined ? type : withoutWrapping(inner);
}

const INIT_SIGNATURE: Signature = {
  type: new CallableType(new TupleType([AnyType.DEFAULT])),
  parameterNames: ['value'],
};

/** An array is spread over the parameters, unless the type takes it as it is. */
function newInit(init: InitType, args: readonly Value[], context: NewContext): Value {
  const { type } = init;
  if (type === undefined) throw fault(`Creation of new instance of type 'Init' is not supported`);
  // Whether its own arguments fit is found out before anything else.
  const { single, others, hasOptionalSingle } = init.accepted;
  const [value = null] = args;
  if (args.length !== 1) throw fault(describeSignatures('new_Init', [INIT_SIGNATURE], args));
  if (init.initArgs.length > 0) return newInstance(type, [value, ...init.initArgs], context);
  if (!isArray(value)) return newInstance(type, [value], context);
  const isSingle =
    single.isInstance(value) ||
    (others !== undefined && !others.isInstance(value) && hasOptionalSingle && others.isInstance([value]));
  return newInstance(type, isSingle ? [value] : value, context);
}
