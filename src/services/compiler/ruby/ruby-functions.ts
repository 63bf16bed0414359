/** Functions of the newer kind, as their files declare them: signatures that are checked here, bodies in Ruby. */

import type { RubyCaller } from '../../../language/evaluator/index.ts';
import {
  type BuiltinFunction,
  type Dispatch,
  type Lambda,
  localTypeResolver,
  PreparedFunction,
} from '../../../language/functions/index.ts';
import { NO_SUCH_KEY } from '../../../language/hiera/index.ts';
import {
  assertInstance,
  type PuppetType,
  parseType,
  type TypeResolver,
  type Value,
} from '../../../language/pcore/index.ts';
import { CALLING_SCOPE } from '../../../language/ruby/index.ts';

/** What `Functions.load` of the shim says of a function. */
export interface FunctionDescription {
  /** It has a `call` of its own, which chooses the signature itself. */
  readonly overrides: boolean;
  readonly types: Readonly<Record<string, string>>;
  readonly dispatches: readonly DispatchDescription[];
}

interface DispatchDescription {
  readonly method: string;
  readonly parameters: readonly (readonly [
    type: string,
    name: string,
    arity: 'optional' | 'repeated' | 'required-repeated' | null,
  ])[];
  readonly block: { readonly type: string | null; readonly name: string; readonly optional: boolean } | null;
  readonly returns: string | null;
  readonly mismatch: boolean;
  /** What the method is given: an argument, all from `-n - 1` on, or something that is injected, by name. */
  readonly weaving: readonly (number | string)[];
}

export interface ChosenDispatch extends Pick<DispatchDescription, 'method' | 'weaving'> {
  readonly index: number;
}

/** Runs the method of one signature. */
export type Invoke = (
  dispatch: ChosenDispatch,
  args: readonly Value[],
  block: Lambda | undefined,
  caller: RubyCaller,
) => Value;

export class RubyFunction {
  readonly overridesCall: boolean;
  readonly prepared: PreparedFunction;
  private readonly dispatches: readonly Dispatch[];
  private readonly described: readonly (ChosenDispatch & { readonly mismatch: boolean })[];
  private readonly resolver: TypeResolver;
  private caller: RubyCaller | undefined;

  constructor(name: string, description: FunctionDescription, types: TypeResolver, invoke: Invoke) {
    this.overridesCall = description.overrides;
    this.described = description.dispatches.map(({ method, mismatch, weaving }, index) => ({
      index,
      method,
      mismatch,
      weaving,
    }));
    this.resolver = localTypeResolver(description.types, types);
    this.dispatches = description.dispatches.map((dispatch, index) => {
      const { method, weaving } = dispatch;
      const chosen = { index, method, weaving };
      return this.toDispatch(dispatch, (args, block, caller) => invoke(chosen, args, block, caller));
    });
    const definition: BuiltinFunction = {
      name,
      dispatches: this.dispatches,
      localTypes: description.types,
      types,
    };
    this.prepared = new PreparedFunction(definition);
  }

  /** Of the signatures, up to the first one that declares none. */
  get returnTypes(): readonly PuppetType[] {
    const types: PuppetType[] = [];
    for (const { returns } of this.dispatches) {
      if (returns === undefined) break;
      types.push(parseType(returns, this.resolver));
    }
    return types;
  }

  call(args: readonly Value[], block: Lambda | undefined, caller: RubyCaller): Value {
    const outer = this.caller;
    this.caller = caller;
    try {
      return this.prepared.call(caller.context, args, block);
    } finally {
      this.caller = outer;
    }
  }

  /** The index of the signature that fits. @throws PuppetError when none does */
  select(args: readonly Value[], block: Lambda | undefined): number {
    const index = this.prepared.signatures.findIndex((signature) => signature.fits(args, block));
    if (index === -1) throw this.prepared.mismatch(args, block);
    return index;
  }

  /** The signature that fits. @throws PuppetError when none does */
  chosen(args: readonly Value[], block: Lambda | undefined): ChosenDispatch | undefined {
    const dispatch = this.described[this.select(args, block)];
    return dispatch?.mismatch === true ? undefined : dispatch;
  }

  private toDispatch(
    { block, method, mismatch, parameters, returns }: DispatchDescription,
    run: (args: readonly Value[], block: Lambda | undefined, caller: RubyCaller) => Value,
  ): Dispatch {
    const describe = `value returned from function '${method}'`;
    let returnType: ReturnType<typeof parseType> | undefined;
    return {
      parameters: parameters.map(([type, name, arity]) => ({
        type,
        name,
        ...(arity === null ? {} : { arity }),
      })),
      ...(block === null
        ? {}
        : {
            block: {
              ...(block.type === null ? {} : { type: block.type }),
              name: block.name,
              isOptional: block.optional,
            },
          }),
      ...(returns === null ? {} : { returns }),
      isMismatch: mismatch,
      call: (_context, args, given) => {
        if (this.caller === undefined) throw new Error('a function is called without a caller');
        const result = run(args, given, this.caller);
        if (returns === null || mismatch || result === NO_SUCH_KEY) return result;
        returnType ??= parseType(returns, this.resolver);
        return assertInstance(describe, returnType, result);
      },
    };
  }
}

/** What the method is given; `undefined` where something is injected that only Ruby has. */
export function wovenArguments(
  { weaving }: ChosenDispatch,
  args: readonly Value[],
): readonly Value[] | undefined {
  if (!weaving.some((knit) => typeof knit === 'string')) return args;
  if (weaving.some((knit) => typeof knit === 'string' && knit !== 'scope')) return undefined;
  return weaving.flatMap((knit) => {
    if (typeof knit === 'string') return [CALLING_SCOPE];
    return knit < 0 ? args.slice(-knit - 1) : args.slice(knit, knit + 1);
  });
}
