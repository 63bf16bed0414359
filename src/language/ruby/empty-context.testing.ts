import type { ErbContext } from './erb-context.ts';
import { giveUp } from './signals.ts';

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
  callRevocably: () => giveUp('a call that cannot be taken back'),
  hasFallback: false,
  isRepeatable: () => false,
};
