import { fault, plainText } from '../../pcore/index.ts';
import { defineLegacyFunction } from '../legacy-function.ts';
import { textOrBytes } from './decode-text.ts';
import { readModuleFile } from './module-file.ts';

/** `file(*names)`: the content of the first file that exists: `module/path` below its `files`, or an absolute path. */
export const file = defineLegacyFunction({
  name: 'file',
  arity: -2,
  call: (context, names) => {
    const references = names.map(plainText);
    for (const reference of references) {
      const found = readModuleFile(context, reference);
      if (found !== undefined) return textOrBytes(found.bytes);
    }
    throw fault(`Could not find any files from ${references.join(', ')}`);
  },
});
