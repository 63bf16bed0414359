import type { ErbContext } from './erb-context.ts';
import { giveUp } from './signals.ts';

/** A place without variables and functions, outside of any catalog. */
export const nowhere: ErbContext = {
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
