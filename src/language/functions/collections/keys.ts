import { PuppetHash } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';

/** `keys(hsh)`: the keys of a hash, in its order. */
export const keys = defineFunction({
  name: 'keys',
  dispatches: [
    {
      parameters: [{ type: 'Hash', name: 'hsh' }],
      call: (_context, [hash = null]) => (hash instanceof PuppetHash ? [...hash.keys()] : []),
    },
  ],
});
