/** Functions: the contract with their caller, the choice of a signature, and all that are built in. */

export { builtinFunction, builtinFunctions } from './builtin.ts';
export { argumentTypes, PreparedFunction, prepareFunction } from './dispatch.ts';
export {
  BreakSignal,
  type BuiltinFunction,
  type CallContext,
  type CatalogView,
  type Dispatch,
  type EppSource,
  type ErbSource,
  type Lambda,
  type LogLevel,
  type LookupRequest,
  type Outside,
  type ScopeView,
} from './function.ts';
export { legacyArgument } from './legacy-function.ts';
export { localTypeResolver } from './local-types.ts';
