import { fault } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';

/** `import(...)`: gone from the language; says what to do. */
export const importManifest = defineFunction({
  name: 'import',
  dispatches: [
    {
      parameters: [{ type: 'Any', name: 'args', arity: 'repeated' }],
      call: () => {
        throw fault(
          "Use of 'import' has been discontinued in favor of a manifest directory. See http://links.puppet.com/puppet-import-deprecation",
          'discontinued_import',
        );
      },
    },
  ],
});
