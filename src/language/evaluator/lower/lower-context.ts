/** What is known while code is turned into closures: whose variables, which source, which environment. */

import type { Value } from '../../pcore/index.ts';
import type { Expression } from '../../syntax/index.ts';
import type { Frame } from '../runtime/frame.ts';
import type { Layout } from '../runtime/layout.ts';
import type { Unit } from '../runtime/unit.ts';

/** Code made ready to be evaluated, any number of times. */
export type Evaluate = (frame: Frame) => Value;

export interface LowerContextOptions {
  readonly unit: Unit;
  readonly layout: Layout;
  /** The context of the code around a lambda. */
  readonly outer?: LowerContext | undefined;
  readonly isDefault?: boolean | undefined;
}

export class LowerContext {
  readonly unit: Unit;
  readonly layout: Layout;
  readonly outer: LowerContext | undefined;
  /** Whether the code is the default of a parameter. */
  readonly isDefault: boolean;

  constructor(options: LowerContextOptions) {
    this.unit = options.unit;
    this.layout = options.layout;
    this.outer = options.outer;
    this.isDefault = options.isDefault === true;
  }

  /** The same place, for the default of a parameter. */
  forDefault(): LowerContext {
    return new LowerContext({ unit: this.unit, layout: this.layout, outer: this.outer, isDefault: true });
  }
}

/** How the members of the family get at each other without importing each other. */
export type Lower = (expression: Expression, context: LowerContext) => Evaluate;
