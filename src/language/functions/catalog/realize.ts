import { flattenValues } from '../collections/flatten.ts';
import { defineLegacyFunction } from '../legacy-function.ts';

/** `realize(*references)`: makes virtual resources part of the catalog, when they are known at the end of the compile. */
export const realize = defineLegacyFunction({
  name: 'realize',
  arity: -2,
  isStatement: true,
  call: (context, references) => {
    context.catalog.realize(flattenValues(references));
    return null;
  },
});
