import { flattenValues } from '../collections/flatten.ts';
import { defineFunction } from '../function.ts';
import { findFirst } from './module-file.ts';

/** `find_template(*names)`: the path of the first that exists: `module/path` below its `templates`, or an absolute path; else undef. */
export const findTemplate = defineFunction({
  name: 'find_template',
  dispatches: [
    {
      parameters: [{ type: 'String', name: 'paths', arity: 'repeated' }],
      call: (context, names) =>
        findFirst(context, names.map(String), (name) => context.environment.findTemplate(name)),
    },
    {
      parameters: [{ type: 'Array[String]', name: 'paths_array', arity: 'repeated' }],
      // As in the reference, which takes the first array for all of them.
      call: (context, [names = null]) =>
        findFirst(context, flattenValues([names]).map(String), (name) =>
          context.environment.findTemplate(name),
        ),
    },
  ],
});
