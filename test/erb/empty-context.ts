import type { ErbContext } from '../../src/language/erb/index.ts';

/** A place where there is nothing: no variables, no functions. */
export const emptyContext: ErbContext = {
  file: undefined,
  classes: [],
  tags: [],
  instanceVariable: () => undefined,
  lookupVariable: () => null,
  hasVariable: () => false,
  variables: () => [],
  isFunctionKnown: () => false,
  callFunction: () => null,
  callLegacyFunction: () => null,
  hasFallback: false,
  isRepeatable: () => false,
};
