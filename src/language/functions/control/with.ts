import { defineFunction } from '../function.ts';

/** `with(*args) |...| {}`: the result of the lambda for the arguments. */
export const withArguments = defineFunction({
  name: 'with',
  bytes: 'values',
  dispatches: [
    {
      parameters: [{ type: 'Any', name: 'arg', arity: 'repeated' }],
      block: { name: 'block' },
      call: (_context, args, block) => block?.call(args) ?? null,
    },
  ],
});
