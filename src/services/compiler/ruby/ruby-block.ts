/** A block of Ruby code that was given to a function of the language. */

import type { Lambda } from '../../../language/functions/index.ts';
import {
  AnyType,
  CallableType,
  IntegerType,
  type PuppetType,
  TupleType,
  type Value,
} from '../../../language/pcore/index.ts';

export class RubyBlock implements Lambda {
  readonly id: number;
  readonly minParameters: number;
  readonly maxParameters: number;
  readonly parameterNames: readonly string[];
  private readonly run: (args: readonly Value[]) => Value;

  /** @param parameters - kind and name as Ruby gives them: `['req', 'x']` */
  constructor(
    id: number,
    parameters: readonly (readonly [kind: string, name: string])[],
    run: (args: readonly Value[]) => Value,
  ) {
    this.id = id;
    this.run = run;
    const positional = parameters.filter(([kind]) => kind === 'req' || kind === 'opt' || kind === 'rest');
    this.parameterNames = positional.map(([, name]) => name);
    // A block takes fewer arguments than it names; Ruby calls those parameters optional.
    this.minParameters = positional.filter(([kind]) => kind === 'req').length;
    this.maxParameters = positional.some(([kind]) => kind === 'rest') ? Infinity : positional.length;
  }

  get type(): PuppetType {
    const size = new IntegerType(this.minParameters, this.maxParameters);
    return new CallableType(new TupleType([AnyType.DEFAULT], size));
  }

  call(args: readonly Value[]): Value {
    return this.run(args);
  }
}
