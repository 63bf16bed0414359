/** What `find_file` and `find_template` share: names, or one array of them, to the path of the first that exists. */

import { flattenValues } from '../collections/flatten.ts';
import { type BuiltinFunction, type CallContext, defineFunction } from '../function.ts';
import { findFirst } from './module-file.ts';

/** @param find - the path of `module/path` */
export function firstFile(
  name: string,
  find: (environment: CallContext['environment'], reference: string) => string | undefined,
): BuiltinFunction {
  const first = (context: CallContext, references: readonly string[]) =>
    findFirst(context, references, (reference) => find(context.environment, reference));
  return defineFunction({
    name,
    dispatches: [
      {
        parameters: [{ type: 'String', name: 'paths', arity: 'repeated' }],
        call: (context, names) => first(context, names.map(String)),
      },
      {
        parameters: [{ type: 'Array[String]', name: 'paths_array', arity: 'repeated' }],
        // As in the reference, which takes the first array for all of them.
        call: (context, [names = null]) => first(context, flattenValues([names]).map(String)),
      },
    ],
  });
}
