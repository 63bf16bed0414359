import { newInstance, PuppetType } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';

/** `new(type, *args)` or `Type(*args)`: a value of the type, converted from the arguments. */
export const newValue = defineFunction({
  name: 'new',
  bytes: 'values',
  dispatches: [
    {
      parameters: [
        { type: 'Type', name: 'type' },
        { type: 'Any', name: 'args', arity: 'repeated' },
      ],
      block: { name: 'block', isOptional: true },
      call: (context, [type = null, ...args], block) => {
        if (!(type instanceof PuppetType)) return null;
        const result = newInstance(type, args, context.outside);
        return block === undefined ? result : block.call([result]);
      },
    },
  ],
});
