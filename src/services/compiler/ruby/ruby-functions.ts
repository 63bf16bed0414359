/** Functions of the newer kind, as their files declare them: signatures that are checked here, bodies in Ruby. */

import type { RubyCaller } from '../../../language/evaluator/index.ts';
import {
  type BuiltinFunction,
  type Dispatch,
  type Lambda,
  PreparedFunction,
} from '../../../language/functions/index.ts';
import { assertInstance, parseType, type TypeResolver, type Value } from '../../../language/pcore/index.ts';

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
}

/** Runs the method of one signature. */
export type Invoke = (
  index: number,
  args: readonly Value[],
  block: Lambda | undefined,
  caller: RubyCaller,
) => Value;

export class RubyFunction {
  readonly overridesCall: boolean;
  readonly prepared: PreparedFunction;
  private readonly dispatches: readonly Dispatch[];
  private caller: RubyCaller | undefined;

  constructor(name: string, description: FunctionDescription, types: TypeResolver, invoke: Invoke) {
    this.overridesCall = description.overrides;
    this.dispatches = description.dispatches.map((dispatch, index) =>
      this.toDispatch(dispatch, types, (args, block, caller) => invoke(index, args, block, caller)),
    );
    const definition: BuiltinFunction = {
      name,
      dispatches: this.dispatches,
      localTypes: description.types,
      types,
    };
    this.prepared = new PreparedFunction(definition);
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

  private toDispatch(
    { block, method, mismatch, parameters, returns }: DispatchDescription,
    types: TypeResolver,
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
        if (this.caller === undefined) throw new Error('a function is called by nobody');
        const result = run(args, given, this.caller);
        if (returns === null || mismatch) return result;
        returnType ??= parseType(returns, types);
        return assertInstance(describe, returnType, result);
      },
    };
  }
}
