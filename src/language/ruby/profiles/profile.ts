import type { Value } from '../../pcore/index.ts';
import type { Run } from '../run.ts';
import { giveUp } from '../signals.ts';

/** A method that is called without a receiver. */
export type SelfFunction = (args: readonly Value[], run: Run) => Value;

/** What code in Ruby is run for: what `self` is, which names it knows, and what is left to real Ruby. */
export interface Profile {
  /** As a value; absent where code that uses it is given up. */
  readonly self?: Value;
  /** Methods of `self`. They come before those of Kernel, and take keywords as a hash. */
  find(name: string): SelfFunction | undefined;
  /** What becomes of a name that neither `find` nor Kernel knows; absent where that is given up. */
  missing?(name: string): SelfFunction | undefined;
  /** Constants besides Ruby's classes. */
  readonly constants?: ReadonlyMap<string, Value>;
  /** Whether code may define constants. */
  readonly hasConstants?: boolean;
  /** Whether code may define methods. */
  readonly hasMethods?: boolean;
  /** Whether instance variables are those that a template sees. */
  readonly hasInstanceVariables?: boolean;
  /** Whether `raise` ends the code with its message; otherwise Ruby has to raise it. */
  readonly canRaise?: boolean;
  /** Whether the code is a function that has signatures, and may stand for keys of Hiera. */
  readonly isDispatched?: boolean;
}

export function counted(count: number, call: SelfFunction): SelfFunction {
  return (args, run) => (args.length === count ? call(args, run) : giveUp(`${args.length} arguments`));
}
