import { defineFunction } from '../function.ts';

/** `next(value)`: ends the lambda, function, class or define around it with a result; an iteration goes on. */
export const nextIteration = defineFunction({
  name: 'next',
  bytes: 'values',
  dispatches: [
    {
      parameters: [{ type: 'Any', name: 'value', arity: 'optional' }],
      call: (context, [value = null]) => context.controlFlow('next', value),
    },
  ],
});
