/** Parameters of classes, defines, functions, lambdas and templates. */

import { failure } from '../../catalog/index.ts';
import { AnyType, ArrayType, PuppetType, rubyClassName } from '../../pcore/index.ts';
import type { Parameter } from '../../syntax/index.ts';
import { unevaluated } from '../evaluation-error.ts';
import type { Evaluate, Lower, LowerContext } from '../lower/lower-context.ts';
import { UnevaluatedSignal } from '../runtime/control-flow.ts';
import type { Frame } from '../runtime/frame.ts';
import type { PendingParameters } from '../runtime/pending-parameters.ts';

export class LoweredParameter {
  readonly name: string;
  readonly slot: number;
  readonly node: Parameter;
  readonly capturesRest: boolean;
  readonly defaultValue: Evaluate | undefined;
  private readonly typeExpression: Evaluate | undefined;
  private knownType: PuppetType | undefined;

  constructor(
    node: Parameter,
    slot: number,
    typeExpression: Evaluate | undefined,
    defaultValue: Evaluate | undefined,
  ) {
    this.node = node;
    this.name = node.name;
    this.slot = slot;
    this.capturesRest = node.capturesRest;
    this.typeExpression = typeExpression;
    this.defaultValue = defaultValue;
  }

  get isOptional(): boolean {
    return this.defaultValue !== undefined || this.capturesRest;
  }

  /** As declared, `Any` when it was not. Evaluated once for the environment, in the top scope of `frame`. */
  type(frame: Frame): PuppetType {
    if (this.knownType === undefined) {
      const { topScope } = frame.scope.compiler;
      const value = this.typeExpression?.(topScope.frame) ?? AnyType.DEFAULT;
      if (!(value instanceof PuppetType))
        throw failure(
          `Parameter '${this.name}' is given a type that is not a Puppet Type, got ${rubyClassName(value)}`,
        );
      this.knownType = value;
    }
    return this.knownType;
  }

  /** What each value must be: the items of the type of a captures-rest parameter. */
  itemType(frame: Frame): PuppetType {
    const type = this.type(frame);
    return this.capturesRest && type instanceof ArrayType ? type.elementType : type;
  }
}

/** Declares the parameters' slots first: a default may read any of them. */
export function lowerParameters(
  parameters: readonly Parameter[],
  context: LowerContext,
  lower: Lower,
  calleeName: PendingParameters['calleeName'],
): readonly LoweredParameter[] {
  const names = parameters.map(({ name }) => name);
  const slots = names.map((name) => context.layout.declare(name));
  return parameters.map((node, index) => {
    const pending = { names, current: node.name, calleeName };
    const defaultValue = node.value === undefined ? undefined : lower(node.value, context.forDefault());
    const type = node.typeExpr === undefined ? undefined : lower(node.typeExpr, context);
    return new LoweredParameter(
      node,
      slots[index] ?? 0,
      type,
      defaultValue === undefined ? undefined : shielded(defaultValue, pending),
    );
  });
}

/** A default leaves no match variables behind, and may only read parameters that have a value. */
function shielded(evaluate: Evaluate, pending: PendingParameters): Evaluate {
  return (frame) => {
    const { match, pending: outer } = frame;
    frame.pending = pending;
    try {
      const value = evaluate(frame);
      frame.match = match;
      return value;
    } catch (error) {
      throw error instanceof UnevaluatedSignal ? unevaluated(error.message) : error;
    } finally {
      frame.pending = outer;
    }
  };
}
