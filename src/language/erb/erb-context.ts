import type { Value } from '../pcore/index.ts';

/** What a template may ask about the place where it is rendered. Errors of the language pass through. */
export interface ErbContext {
  /** The variable `@name` of the template; undefined and undef are the same. */
  instanceVariable(name: string): Value | undefined;
  /** `scope.lookupvar(name)`; warns or throws when the variable is missing, as settings say. */
  lookupVariable(name: string): Value;
  /** `has_variable?(name)` and `scope.include?(name)`. */
  hasVariable(name: string): boolean;
  /** All variables in sight, inner ones last; none is undef. */
  variables(): Iterable<readonly [string, Value]>;
  readonly classes: readonly string[];
  readonly tags: Iterable<string>;
  /** The template's own path; `undefined` when it is given as text. */
  readonly file: string | undefined;
  isFunctionKnown(name: string): boolean;
  /** `scope.call_function(name, args)` */
  callFunction(name: string, args: readonly Value[]): Value;
  /** `scope.function_NAME(args)`: undef becomes an empty string on the way. */
  callLegacyFunction(name: string, args: readonly Value[]): Value;
  /** Whether somebody else can render the template: then nothing is called that could not be called again. */
  readonly hasFallback: boolean;
  /** Whether calling it twice is the same as calling it once. */
  isRepeatable(functionName: string): boolean;
}
