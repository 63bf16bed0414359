import { defineFunction } from '../function.ts';

/** `lest(arg) || {}`: the argument, or for undef the result of the lambda. */
export const lest = defineFunction({
  name: 'lest',
  bytes: 'values',
  dispatches: [
    {
      parameters: [{ type: 'Any', name: 'arg' }],
      block: { type: 'Callable[0,0]', name: 'block' },
      call: (_context, [value = null], block) => value ?? block?.call([]) ?? null,
    },
  ],
});
