import { infer, inferDetailed } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';

/** `type(value, method)`: the type of a value: `detailed`, `reduced` to common types, or `generalized`. */
export const type = defineFunction({
  name: 'type',
  bytes: 'values',
  dispatches: [
    {
      parameters: [
        { type: 'Any', name: 'value' },
        { type: 'Enum[detailed]', name: 'inference_method', arity: 'optional' },
      ],
      call: (_context, [value = null]) => inferDetailed(value),
    },
    {
      parameters: [
        { type: 'Any', name: 'value' },
        { type: 'Enum[reduced]', name: 'inference_method' },
      ],
      call: (_context, [value = null]) => infer(value),
    },
    {
      parameters: [
        { type: 'Any', name: 'value' },
        { type: 'Enum[generalized]', name: 'inference_method' },
      ],
      call: (_context, [value = null]) => infer(value).generalize(),
    },
  ],
});
