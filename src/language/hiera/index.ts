/** Hiera 5: data for classes and for `lookup()`, from the global layer, the environment and its modules. */

export { DATA_READERS } from './data-file.ts';
export { Explainer } from './explainer.ts';
export { decryptValue } from './eyaml.ts';
export { HieraLookup } from './hiera-lookup.ts';
export { LOOKUP_CONTEXT_TYPE, LookupContext, NO_SUCH_KEY } from './lookup-context.ts';
export { LookupArgumentError, LookupError } from './lookup-error.ts';
export { type LookupLevel, type LookupStory, storyOf } from './lookup-levels.ts';
export type {
  EyamlDecryptor,
  LookupInvocation,
  LookupRequest,
  LookupScope,
} from './lookup-request.ts';
