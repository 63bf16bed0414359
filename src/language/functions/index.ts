/** Functions: the contract with whoever calls them, the choice of a signature, and all that are built in. */

export { builtinFunctions } from './builtin.ts';
export { resolveDeferred } from './control/resolve-deferred.ts';
export { callBuiltin, PreparedFunction, prepareFunction, Signature } from './dispatch.ts';
export {
  BreakSignal,
  type BuiltinFunction,
  type CallContext,
  type CatalogView,
  type Dispatch,
  defineFunction,
  type EppSource,
  type Lambda,
  type LogLevel,
  type LookupRequest,
  type Outside,
  type ParameterSpec,
  type ScopeView,
} from './function.ts';
export { compareVersions } from './numbers/versioncmp.ts';
export { rubyInspect, rubyText } from './ruby/text.ts';
