import { defineFunction } from '../function.ts';
import { scanText } from '../ruby/scan-text.ts';

/** `scanf(data, format)`: the values that a text has at the places of `%d`, `%s` and their like, up to the first that is missing. */
export const scanf = defineFunction({
  name: 'scanf',
  dispatches: [
    {
      parameters: [
        { type: 'String', name: 'data' },
        { type: 'String', name: 'format' },
      ],
      block: { name: 'block', isOptional: true },
      call: (_context, [data, format], block) => {
        const values = scanText(String(data), String(format));
        return block === undefined ? values : block.call([values]);
      },
    },
  ],
});
