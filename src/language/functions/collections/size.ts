import { defineFunction } from '../function.ts';

/** `size(arg)`: the same as `length`. */
export const size = defineFunction({
  name: 'size',
  bytes: 'values',
  dispatches: [
    {
      parameters: [{ type: 'Variant[Collection, String, Binary]', name: 'arg' }],
      call: (context, [value = null]) => context.callFunction('length', [value]),
    },
  ],
});
