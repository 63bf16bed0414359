/** One rendering: what compiled code works on. */

import type { Value } from '../pcore/index.ts';
import type { ErbContext } from './erb-context.ts';
import type { RubyMatch } from './ruby-values.ts';

/** A compiled expression. */
export type Code = (run: Run) => Value;

export class Run {
  readonly context: ErbContext;
  out = '';
  locals: Value[] = [];
  /** The last match: `$~`, `$1`. */
  match: RubyMatch | null = null;
  /** Whether something was called that can't be called again. */
  hadEffects = false;
  /** Where in the Ruby source the last call began, in bytes. */
  offset = 0;
  depth = 0;
  readonly methods = new Map<string, (run: Run, args: readonly Value[]) => Value>();
  private readonly variables = new Map<string, Value>();
  private readonly owned = new WeakSet<readonly Value[]>();

  constructor(context: ErbContext) {
    this.context = context;
  }

  variable(name: string): Value {
    const known = this.variables.get(name);
    if (known !== undefined) return known;
    const value = this.context.instanceVariable(name) ?? null;
    this.variables.set(name, value);
    return value;
  }

  setVariable(name: string, value: Value): void {
    this.variables.set(name, value);
  }

  /** Marks an array as made by the template: it may be changed, and nobody else sees it. */
  own(array: Value[]): Value[] {
    this.owned.add(array);
    return array;
  }

  owns(array: readonly Value[]): array is Value[] {
    return this.owned.has(array);
  }
}
