/** What is known while code is turned into closures: whose variables, which source, which environment. */

import type { Value } from '../../pcore/index.ts';
import type { Expression } from '../../syntax/index.ts';
import type { Frame } from '../runtime/frame.ts';
import type { Layout } from '../runtime/layout.ts';
import type { Unit } from '../runtime/unit.ts';

/** Code made ready to be evaluated, any number of times. */
export type Evaluate = (frame: Frame) => Value;

/** Parameters of which some have no value yet, while the default of one of them is evaluated. */
export interface PendingParameters {
  /** All of the callee's, in order. */
  readonly names: readonly string[];
  /** Whose default it is. */
  readonly current: string;
  /** What messages call the callee; a class or define only knows its name when it is evaluated. */
  readonly calleeName: (frame: Frame) => string;
}

export interface LowerContextOptions {
  readonly unit: Unit;
  readonly layout: Layout;
  /** The context of the code around a lambda. */
  readonly outer?: LowerContext | undefined;
  readonly pending?: PendingParameters | undefined;
}

export class LowerContext {
  readonly unit: Unit;
  readonly layout: Layout;
  readonly outer: LowerContext | undefined;
  readonly pending: PendingParameters | undefined;

  constructor(options: LowerContextOptions) {
    this.unit = options.unit;
    this.layout = options.layout;
    this.outer = options.outer;
    this.pending = options.pending;
  }

  /** The same place, for the default of a parameter. */
  withPending(pending: PendingParameters): LowerContext {
    return new LowerContext({ unit: this.unit, layout: this.layout, outer: this.outer, pending });
  }
}

/** How the members of the family get at each other without importing each other. */
export type Lower = (expression: Expression, context: LowerContext) => Evaluate;
