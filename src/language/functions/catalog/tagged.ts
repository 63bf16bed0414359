import { plainText } from '../../pcore/index.ts';
import { defineLegacyFunction, referenceText } from '../legacy-function.ts';

/** `tagged(*names)`: true when the class or define around it has every one of the tags. */
export const tagged = defineLegacyFunction({
  name: 'tagged',
  arity: -2,
  call: (context, names) => {
    const tags = new Set(context.scope.tags());
    return names.every((name) => tags.has(plainText(referenceText(name)).toLowerCase()));
  },
});
