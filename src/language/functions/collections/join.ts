import { isArray } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';
import { joinText } from '../ruby/join-text.ts';

/** `join(arg, delimiter)`: the elements, nested ones too, as one string; undef gives nothing. */
export const join = defineFunction({
  name: 'join',
  bytes: 'values',
  dispatches: [
    {
      parameters: [
        { type: 'Array', name: 'arg' },
        { type: 'String', name: 'delimiter', arity: 'optional' },
      ],
      call: (_context, [array = null, delimiter = '']) =>
        isArray(array) ? joinText(array, String(delimiter)) : '',
    },
  ],
});
