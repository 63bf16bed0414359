import { isArray, type Value } from '../../pcore/index.ts';
import { type CallContext, defineFunction } from '../function.ts';

/** `module_directory(*names)`: the directory of the first module that exists; else undef. */
export const moduleDirectory = defineFunction({
  name: 'module_directory',
  dispatches: [
    {
      parameters: [{ type: 'String', name: 'names', arity: 'repeated' }],
      call: (context, names) => firstDirectory(context, names),
    },
    {
      parameters: [{ type: 'Array[String]', name: 'names', arity: 'repeated' }],
      call: (context, [names = null]) => (isArray(names) ? firstDirectory(context, names) : null),
    },
  ],
});

function firstDirectory(context: CallContext, names: readonly Value[]): Value {
  for (const name of names) {
    const module = context.environment.modules.get(String(name));
    if (module !== undefined) return module.directory;
  }
  return null;
}
