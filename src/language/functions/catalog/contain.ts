import { flattenValues } from '../collections/flatten.ts';
import { defineFunction } from '../function.ts';

/** `contain(*names)`: evaluates classes, and makes the current class contain them; returns references to them. */
export const contain = defineFunction({
  name: 'contain',
  dispatches: [
    {
      parameters: [{ type: 'Any', name: 'names', arity: 'required-repeated' }],
      call: (context, names) => context.catalog.declareClasses(flattenValues(names), 'contain'),
    },
  ],
});
