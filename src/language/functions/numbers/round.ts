import { Float, fault, plainText } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';
import { wholeNumber } from './number-value.ts';

/** `round(val)`: the nearest integer, halves away from zero. Integers go through a float, as in the reference. */
export const round = defineFunction({
  name: 'round',
  dispatches: [
    {
      parameters: [{ type: 'Numeric', name: 'val' }],
      call: (_context, [value = null]) => {
        const number = value instanceof Float ? value.value : Number(value);
        if (!Number.isFinite(number)) throw fault(plainText(value));
        return wholeNumber(Math.trunc(number > 0 ? number + 0.5 : number - 0.5));
      },
    },
  ],
});
