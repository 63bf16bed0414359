/** A lambda as it is passed to a function: code together with the variables around it. */

import type { Lambda } from '../../functions/index.ts';
import type { PuppetType, Value } from '../../pcore/index.ts';
import type { LoweredCallable } from '../definitions/callable.ts';
import type { Frame } from '../runtime/frame.ts';

export class PuppetLambda implements Lambda {
  private readonly code: LoweredCallable;
  private readonly outer: Frame;

  constructor(code: LoweredCallable, outer: Frame) {
    this.code = code;
    this.outer = outer;
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
