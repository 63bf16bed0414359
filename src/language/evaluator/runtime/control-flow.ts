/** What `next()`, `return()` and unevaluated parameters throw. Not errors: they carry no stack and cost little. */

import type { Value } from '../../pcore/index.ts';
import type { Position } from '../../syntax/index.ts';

/** Ends the lambda, function, class or define with a value. */
export class NextSignal {
  readonly value: Value;
  readonly position: Position;
  constructor(value: Value, position: Position) {
    this.value = value;
    this.position = position;
  }
}

/** Ends the function, class or define around the call, through all lambdas in between. */
export class ReturnSignal {
  readonly value: Value;
  readonly position: Position;
  constructor(value: Value, position: Position) {
    this.value = value;
    this.position = position;
  }
}

/** Ends the default of a parameter that reads a parameter without a value, through all calls in between. */
export class UnevaluatedSignal {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
