/** `return`, `next` and `break` on their way to where they end. */

import type { Value } from './values.ts';

export class Signal {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

export class ReturnSignal extends Signal {}
export class NextSignal extends Signal {}
export class BreakSignal extends Signal {}
