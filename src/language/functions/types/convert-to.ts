import { defineFunction } from '../function.ts';

/** `convert_to(value, type, *args)`: `new(type, value, *args)`, given to a lambda when there is one. */
export const convertTo = defineFunction({
  name: 'convert_to',
  bytes: 'values',
  dispatches: [
    {
      parameters: [
        { type: 'Any', name: 'value' },
        { type: 'Type', name: 'type' },
        { type: 'Any', name: 'args', arity: 'repeated' },
      ],
      block: { type: 'Callable[1,1]', name: 'block', isOptional: true },
      call: (context, [value = null, type = null, ...args], block) => {
        const result = context.callFunction('new', [type, value, ...args]);
        return block === undefined ? result : block.call([result]);
      },
    },
  ],
});
