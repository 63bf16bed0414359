import { flattenValues } from '../collections/flatten.ts';
import { defineFunction } from '../function.ts';

/** `include(*names)`: evaluates classes unless they have been; returns references to them. */
export const include = defineFunction({
  name: 'include',
  dispatches: [
    {
      parameters: [{ type: 'Any', name: 'names', arity: 'required-repeated' }],
      call: (context, names) => context.catalog.declareClasses(flattenValues(names), 'include'),
    },
  ],
});
