/** Functions: the contract with whoever calls them, the choice of a signature, and all that are built in. */

export { builtinFunctions } from './builtin.ts';
export { callBuiltin, prepareFunction } from './dispatch.ts';
export {
  BreakSignal,
  type CallContext,
  type CatalogView,
  type EppSource,
  type ErbSource,
  type Lambda,
  type LogLevel,
  type LookupRequest,
  type Outside,
  type ScopeView,
} from './function.ts';
