/** Hiera 5: data for classes and for `lookup()`, from the global layer, the environment and its modules. */

export { DATA_READERS, type DataFile } from './data-file.ts';
export { Explainer } from './explainer.ts';
export { HieraLookup } from './hiera-lookup.ts';
export { KeyNotFound, LOOKUP_CONTEXT_TYPE, LookupContext } from './lookup-context.ts';
export { LookupArgumentError, LookupError } from './lookup-error.ts';
export type {
  EyamlDecryptor,
  LookupBlock,
  LookupInvocation,
  LookupLogLevel,
  LookupRequest,
  LookupScope,
} from './lookup-request.ts';
