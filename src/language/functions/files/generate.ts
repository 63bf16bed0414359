import { fault, plainText } from '../../pcore/index.ts';
import { flattenValues } from '../collections/flatten.ts';
import { defineLegacyFunction } from '../legacy-function.ts';

/** `generate(command, *args)`: what a command on the server prints. Its path must be absolute and plain. */
export const generate = defineLegacyFunction({
  name: 'generate',
  arity: -2,
  call: (context, [command = null, ...args]) => {
    const path = plainText(command);
    if (!path.startsWith('/')) throw fault('Generators must be fully qualified');
    if (!/^[-/\w.+]+$/m.test(path))
      throw fault('Generators can only contain alphanumerics, file separators, and dashes');
    if (path.includes('..')) throw fault("Can not use generators with '..' in them.");
    return context.outside.generate(path, flattenValues(args).map(plainText));
  },
});
