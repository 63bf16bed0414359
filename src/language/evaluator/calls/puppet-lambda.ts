/** A lambda as it is passed to a function: code together with the variables around it. */

import type { Lambda } from '../../functions/index.ts';
import type { PuppetType, Value } from '../../pcore/index.ts';
import type { LambdaExpression, SourceText } from '../../syntax/index.ts';
import type { LoweredCallable } from '../definitions/callable.ts';
import type { Frame } from '../runtime/frame.ts';

export class PuppetLambda implements Lambda {
  readonly node: LambdaExpression;
  private readonly code: LoweredCallable;
  private readonly outer: Frame;

  constructor(node: LambdaExpression, code: LoweredCallable, outer: Frame) {
    this.node = node;
    this.code = code;
    this.outer = outer;
  }

  /** The text that it stands in. */
  get source(): SourceText {
    return this.code.context.unit.source;
  }

  get minParameters(): number {
    return this.code.minParameters;
  }

  get maxParameters(): number {
    return this.code.maxParameters;
  }

  get parameterNames(): readonly string[] {
    return this.code.parameters.map(({ name }) => name);
  }

  get type(): PuppetType {
    return this.code.type(this.outer);
  }

  /** All variables that its code sees besides its own, by name; inner ones hide outer ones. */
  visibleVariables(): ReadonlyMap<string, Value> {
    const found = new Map<string, Value>();
    for (let frame: Frame | undefined = this.outer; frame !== undefined; frame = frame.outer)
      for (const name of frame.localNames())
        if (!found.has(name)) found.set(name, frame.getLocal(name) ?? null);
    return found;
  }

  call(args: readonly Value[]): Value {
    const { scope } = this.outer;
    scope.compiler.enter();
    try {
      return this.code.call(args, scope, this.outer);
    } finally {
      scope.compiler.leave();
    }
  }
}
