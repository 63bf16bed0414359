/** The signatures that functions with a lambda of one or two parameters have in common. */

import { PuppetHash, type Value } from '../../pcore/index.ts';
import { type BuiltinFunction, type Dispatch, defineFunction, type Lambda } from '../function.ts';

/** What an iterating function does for each kind of call. The hash or iterable comes first. */
export interface IterationCases {
  /** `|$key, $value|` */
  readonly hashByTwo: (hash: PuppetHash, block: Lambda) => Value;
  /** `|$entry|` */
  readonly hashByOne: (hash: PuppetHash, block: Lambda) => Value;
  /** `|$index, $element|` */
  readonly elementsByTwo: (iterable: Value, block: Lambda) => Value;
  /** `|$element|` */
  readonly elementsByOne: (iterable: Value, block: Lambda) => Value;
}

/** A function over hashes and other iterables, whose lambda has one or two parameters. */
export function iteratingFunction(
  name: string,
  cases: IterationCases,
  otherDispatches: readonly Dispatch[] = [],
): BuiltinFunction {
  return defineFunction({
    name,
    bytes: 'values',
    dispatches: [
      overHash(2, cases.hashByTwo),
      overHash(1, cases.hashByOne),
      overIterable(2, cases.elementsByTwo),
      overIterable(1, cases.elementsByOne),
      ...otherDispatches,
    ],
  });
}

function overHash(count: 1 | 2, call: (hash: PuppetHash, block: Lambda) => Value): Dispatch {
  return {
    parameters: [{ type: 'Hash[Any, Any]', name: 'hash' }],
    block: { type: `Callable[${count},${count}]`, name: 'block' },
    call: (_context, [hash = null], block) =>
      hash instanceof PuppetHash && block !== undefined ? call(hash, block) : null,
  };
}

function overIterable(count: 1 | 2, call: (iterable: Value, block: Lambda) => Value): Dispatch {
  return {
    parameters: [{ type: 'Iterable', name: 'enumerable' }],
    block: { type: `Callable[${count},${count}]`, name: 'block' },
    call: (_context, [iterable = null], block) => (block === undefined ? null : call(iterable, block)),
  };
}
