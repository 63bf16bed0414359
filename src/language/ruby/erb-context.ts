import type { Value } from '../pcore/index.ts';
import type { Effects } from './effects.ts';
import type { PuppetAccess } from './puppet-access.ts';

export interface RevocableCall {
  readonly name: string;
  readonly args: readonly Value[];
  /** By `function_NAME`: one function of the older kind calls another. */
  readonly isLegacy: boolean;
  readonly effects: Effects;
}

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
  /**
   * Sets a variable of the calling scope. Absent when that is impossible.
   *
   * @param value - as the language knows it
   * @param original - as interpreted code knows it, and as Ruby gets it that asks for it
   * @throws GiveUp when it cannot be set
   */
  setVariable?(name: string, value: Value, original: Value): () => void;
  /**
   * Code has changed lists and hashes in place: gives their holders the new ones. Absent when that is impossible.
   *
   * @param changes - what they were, and what they have become
   * @param sawElsewhere - whether the code may have come to them by variables of other scopes
   * @throws GiveUp when their holders are unknown
   */
  replaceValues?(changes: ReadonlyMap<Value, Value>, sawElsewhere: boolean): () => void;
  /** Absent without a catalog. */
  readonly puppet?: PuppetAccess;
  /** Whether somebody else can render the template: then nothing is called that could not be called again. */
  readonly hasFallback: boolean;
  /**
   * Calls a function in a way that leaves nothing behind when what calls it is given up later.
   *
   * @returns `UNUSABLE` where the call is put off
   * @throws GiveUp where that cannot be
   */
  callRevocably(call: RevocableCall): Value;
  /** Whether calling it twice is the same as calling it once. */
  isRepeatable(functionName: string): boolean;
}
