import { defineFunction } from '../function.ts';

/** `return(value)`: ends the function, class or define around it with a result. */
export const returnFromFunction = defineFunction({
  name: 'return',
  bytes: 'values',
  dispatches: [
    {
      parameters: [{ type: 'Any', name: 'value', arity: 'optional' }],
      call: (context, [value = null]) => context.controlFlow('return', value),
    },
  ],
});
