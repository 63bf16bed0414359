import { plainText } from '../../pcore/index.ts';
import { flattenValues } from '../collections/flatten.ts';
import { defineLegacyFunction, referenceText } from '../legacy-function.ts';

/** `tag(*names)`: tags the class or define around it, and with it all that it contains. */
export const tag = defineLegacyFunction({
  name: 'tag',
  arity: -2,
  isStatement: true,
  call: (context, names) => {
    context.catalog.addTags(flattenValues(names).map((name) => plainText(referenceText(name))));
    return null;
  },
});
