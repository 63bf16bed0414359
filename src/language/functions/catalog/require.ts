import { flattenValues } from '../collections/flatten.ts';
import { defineFunction } from '../function.ts';

/** `require(*names)`: evaluates classes, and makes the current resource require them; returns references to them. */
export const requireClasses = defineFunction({
  name: 'require',
  dispatches: [
    {
      parameters: [{ type: 'Any', name: 'names', arity: 'required-repeated' }],
      call: (context, names) => context.catalog.declareClasses(flattenValues(names), 'require'),
    },
  ],
});
