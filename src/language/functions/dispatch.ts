/** Chooses the signature of a function that fits a call. */

import {
  ByteString,
  CallableType,
  describeSignatures,
  fault,
  IntegerType,
  inferDetailed,
  OptionalType,
  type PuppetType,
  parseType,
  TupleType,
  type TypeResolver,
  type Value,
} from '../pcore/index.ts';
import type { PuppetError } from '../syntax/index.ts';
import { callWithBytes } from './call-with-bytes.ts';
import type { BuiltinFunction, CallContext, Dispatch, Lambda, ParameterSpec } from './function.ts';
import { localTypeResolver } from './local-types.ts';

const prepared = new WeakMap<BuiltinFunction, PreparedFunction>();

/** The function with its types resolved; the same object for the same function. */
export function prepareFunction(definition: BuiltinFunction): PreparedFunction {
  const known = prepared.get(definition);
  if (known !== undefined) return known;
  const result = new PreparedFunction(definition);
  prepared.set(definition, result);
  return result;
}

/** A built-in function that is ready to be called. */
export class PreparedFunction {
  readonly name: string;
  private readonly definition: BuiltinFunction;
  private resolved: readonly Signature[] | undefined;

  constructor(definition: BuiltinFunction) {
    this.definition = definition;
    this.name = definition.name;
  }

  /** In the order in which they are tried, those that only explain wrong calls included. */
  get signatures(): readonly Signature[] {
    this.resolved ??= resolveSignatures(this.definition);
    return this.resolved;
  }

  /**
   * Calls it with arguments of any types.
   *
   * @throws PuppetError with the reference's text when no signature fits, and whatever the function throws
   */
  call(context: CallContext, args: readonly Value[], block?: Lambda): Value {
    for (const signature of this.signatures) {
      if (!signature.fits(args, block)) continue;
      const result = args.some(isByteString)
        ? callWithBytes(this.definition.bytes, args, (given) =>
            signature.dispatch.call(context, given, block),
          )
        : signature.dispatch.call(context, args, block);
      if (signature.dispatch.isMismatch === true) throw fault(`'${this.name}' ${String(result)}`);
      return result;
    }
    throw this.mismatch(args, block);
  }

  /** The error of a call that no signature fits. */
  mismatch(args: readonly Value[], block: Lambda | undefined): PuppetError {
    const offered = this.signatures.filter((signature) => signature.dispatch.isMismatch !== true);
    return fault(describeSignatures(this.name, offered, argumentTypes(args, block)));
  }
}

function isByteString(value: Value): boolean {
  return value instanceof ByteString;
}

/** The types of a call's arguments in detail, the block's last. */
export function argumentTypes(args: readonly Value[], block: Lambda | undefined): PuppetType {
  return block === undefined ? inferDetailed(args) : new TupleType([...args.map(inferDetailed), block.type]);
}

/** One signature with its types. */
export class Signature {
  readonly dispatch: Dispatch;
  readonly type: CallableType;
  readonly parameterNames: readonly string[];
  readonly blockName: string;
  private readonly types: readonly PuppetType[];
  private readonly minCount: number;
  private readonly maxCount: number;
  /** The block's number of parameters, where its type says nothing else. */
  private readonly blockCount: number | undefined;

  constructor(dispatch: Dispatch, resolver: TypeResolver) {
    this.dispatch = dispatch;
    this.types = dispatch.parameters.map((parameter) => parseType(parameter.type, resolver));
    this.parameterNames = dispatch.parameters.map((parameter) => parameter.name);
    this.blockName = dispatch.block?.name ?? 'block';
    this.blockCount = exactCount(dispatch.block?.type);
    this.minCount = dispatch.parameters.filter(isRequired).length;
    this.maxCount = dispatch.parameters.some(isRepeated) ? Infinity : dispatch.parameters.length;
    this.type = this.callableType(resolver);
  }

  /** Whether the signature accepts such a call. Allocates nothing for blocks of a fixed number of parameters. */
  fits(args: readonly Value[], block: Lambda | undefined): boolean {
    if (args.length < this.minCount || args.length > this.maxCount) return false;
    const last = this.types.length - 1;
    for (let index = 0; index < args.length; index += 1) {
      const value = args[index];
      if (value !== undefined && this.types[Math.min(index, last)]?.isInstance(value) === false) return false;
    }
    return this.acceptsBlock(block);
  }

  private acceptsBlock(block: Lambda | undefined): boolean {
    const expected = this.dispatch.block;
    if (block === undefined) return expected === undefined || expected.isOptional === true;
    if (expected === undefined) return false;
    if (expected.type === undefined) return true;
    if (this.blockCount !== undefined)
      return block.minParameters <= this.blockCount && block.maxParameters >= this.blockCount;
    return this.type.blockType?.isAssignable(block.type) === true;
  }

  private callableType(resolver: TypeResolver): CallableType {
    const isFixed = this.minCount > 0 && this.minCount === this.maxCount;
    const size = isFixed ? undefined : new IntegerType(this.minCount, this.maxCount);
    const { block, returns } = this.dispatch;
    return new CallableType(
      new TupleType(this.types, size),
      block === undefined ? undefined : blockType(block, resolver),
      returns === undefined ? undefined : parseType(returns, resolver),
    );
  }
}

function blockType(block: NonNullable<Dispatch['block']>, resolver: TypeResolver): PuppetType {
  const type = block.type === undefined ? CallableType.DEFAULT : parseType(block.type, resolver);
  return block.isOptional === true ? new OptionalType(type) : type;
}

function resolveSignatures(definition: BuiltinFunction): readonly Signature[] {
  const resolver = localTypeResolver(definition.localTypes ?? {}, definition.types);
  return definition.dispatches.map((dispatch) => new Signature(dispatch, resolver));
}

function isRequired({ arity }: ParameterSpec): boolean {
  return arity === undefined || arity === 'required-repeated';
}

function isRepeated({ arity }: ParameterSpec): boolean {
  return arity === 'repeated' || arity === 'required-repeated';
}

/** The `2` of `Callable[2,2]`. */
function exactCount(type: string | undefined): number | undefined {
  const [, from, to] = /^Callable\[(\d+),\s*(\d+)\]$/.exec(type ?? '') ?? [];
  return from !== undefined && from === to ? Number(from) : undefined;
}
