/** Ways in which a rendering ends early. None is an `Error`: none needs a stack. */

import type { Value } from '../pcore/index.ts';

/** Something that is not modelled: real Ruby has to render the template. */
export class GiveUp {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

export function giveUp(reason: string): never {
  throw new GiveUp(reason);
}

/** An exception that Ruby would raise here, with Ruby's message. */
export class RubyFailure {
  readonly message: string;
  /** What caused it, when it came out of a function of the language. */
  readonly cause: unknown;
  constructor(message: string, cause?: unknown) {
    this.message = message;
    this.cause = cause;
  }
}

export function raise(message: string): never {
  throw new RubyFailure(message);
}

/** `next`, `break` and `return`; each is caught by what it belongs to. */
export class Jump {
  readonly kind: 'next' | 'break' | 'return';
  readonly value: Value;
  constructor(kind: Jump['kind'], value: Value) {
    this.kind = kind;
    this.value = value;
  }
}
