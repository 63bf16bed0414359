import { PuppetHash } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';

/** `values(hsh)`: the values of a hash, in its order. */
export const values = defineFunction({
  name: 'values',
  dispatches: [
    {
      parameters: [{ type: 'Hash', name: 'hsh' }],
      call: (_context, [hash = null]) => (hash instanceof PuppetHash ? [...hash.values()] : []),
    },
  ],
});
