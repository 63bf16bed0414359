import { defineFunction } from '../function.ts';

/** `break()`: ends the iteration around it. */
export const breakIteration = defineFunction({
  name: 'break',
  bytes: 'values',
  dispatches: [{ parameters: [], call: (context) => context.controlFlow('break', null) }],
});
