import { defineFunction } from '../function.ts';

/** `then(arg) |$x| {}`: undef for undef, else the result of the lambda for the argument. */
export const thenUseValue = defineFunction({
  name: 'then',
  bytes: 'values',
  dispatches: [
    {
      parameters: [{ type: 'Any', name: 'arg' }],
      block: { type: 'Callable[1,1]', name: 'block' },
      call: (_context, [value = null], block) => (value === null ? null : (block?.call([value]) ?? null)),
    },
  ],
});
