import { BinaryValue, fault } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';
import { readModuleFile } from './module-file.ts';

/** `binary_file(path)`: the bytes of a file: `module/path` below its `files`, or an absolute path. */
export const binaryFile = defineFunction({
  name: 'binary_file',
  dispatches: [
    {
      parameters: [{ type: 'String', name: 'path' }],
      call: (context, [path]) => {
        const found = readModuleFile(context, String(path));
        if (found === undefined)
          throw fault(`binary_file(): The given file '${String(path)}' does not exist`);
        return new BinaryValue(found.bytes);
      },
    },
  ],
});
