/** Ruby code in modules: what runs it, and what it may ask of the compile that calls it. */

import type { ResourceTypeInfo } from '../catalog/index.ts';
import type { Module, RubyFunctionFile } from '../environment/index.ts';
import type { CallContext, ErbSource, Lambda } from '../functions/index.ts';
import type { ObjectInstance, PuppetType, TypeResolver, Value } from '../pcore/index.ts';
import type { Effects } from '../ruby/index.ts';
import type { Position } from '../syntax/index.ts';

/**
 * Runs Ruby code of one version of an environment. Without Ruby, code that needs it ends with an error that
 * names the Ruby file. All methods throw a `PuppetError` for what is wrong with the code.
 */
export interface RubyHost {
  /** The resource type that the file defines; `undefined` when it cannot be run. */
  findResourceType(name: string, file: string, caller: RubyCaller): FoundResourceType | undefined;
  /** Calls a function that the file defines. */
  callFunction(call: RubyFunctionCall, caller: RubyCaller): Value;
  /** Calls a method of an object whose data type is written in Ruby. Absent on hosts without Ruby. */
  callMember?(call: RubyMemberCall, caller: RubyCaller): Value;
  /** What the function's signatures are declared to return, up to the first one that says nothing of it. */
  returnTypes?(call: Pick<RubyFunctionCall, 'name' | 'file'>, caller: RubyCaller): readonly PuppetType[];
  /**
   * Calls a function without Ruby. Arguments are as the function gets them. Absent without an interpreter.
   *
   * @throws GiveUp when that cannot be; nothing has been done then
   */
  interpretFunction?(call: RubyFunctionCall, caller: RubyCaller, effects: Effects): Value;
  /** Of the process that runs Ruby code. Absent when unknown. */
  environmentVariable?(name: string): string | undefined;
  /** The text of an ERB template with the variables that the caller sees. */
  evaluateErb(template: ErbSource, caller: RubyCaller): string;
}

export type FoundResourceType =
  | { readonly kind: 'type'; readonly info: ResourceTypeInfo }
  /** The file defines no type of that name. */
  | { readonly kind: 'none' };

export interface RubyFunctionCall {
  /** Lower case, without `::` in front. */
  readonly name: string;
  readonly file: RubyFunctionFile;
  readonly args: readonly Value[];
  readonly block: Lambda | undefined;
}

/** A call of a method, or of an attribute that is computed. */
export interface RubyMemberCall {
  readonly receiver: ObjectInstance;
  /** The file that defines the receiver's type. */
  readonly file: string;
  readonly member: string;
  readonly args: readonly Value[];
  readonly block: Lambda | undefined;
}

/** The place of a call into Ruby: what a scope and a catalog of the reference can be asked. */
export interface RubyCaller {
  readonly context: CallContext;
  /** The same call, seen from top scope: functions of the newer kind see no other. */
  readonly top: RubyCaller;
  /** The module whose functions are found first; `undefined` for code that sees them as the environment does. */
  readonly user: Module | undefined;
  /** Whether the function itself is called for a key of Hiera, by who takes `NO_SUCH_KEY` for an answer. */
  readonly isForKey: boolean;
  /** A call that the function makes, as the function of that file sees it. */
  within(file: RubyFunctionFile): RubyCaller;
  /** Of the compile; the same object for all calls of one compile. */
  readonly compile: object;
  readonly types: TypeResolver;
  readonly scope: RubyScope;
  readonly catalog: RubyCatalog;
  /** Whether code in Ruby has given the value to a variable: it may have changed there since. */
  isHeld(value: Value | undefined): boolean;
  /** Whether a list or hash is a part of the facts, or of other values that the reference has frozen. */
  isFrozen(value: Value): boolean;
  /** What interpreted code knows under a value that it has given to a variable; Ruby gets that. */
  originalOf(value: Value): Value | undefined;
  noteOriginal(value: Value, original: Value): void;
  /** Calls `template` or `inline_template`. @throws GiveUp where that is not possible without Ruby */
  renderWithin(name: string, args: readonly Value[], effects: Effects): Value;
  /** Where the calls stand that led here, innermost first; the main manifest is line 0. */
  callers(): Iterable<Position>;
  /**
   * Ruby code has changed a list or hash in place: all holders see that.
   *
   * @throws PuppetError when it is a part of the facts, which are frozen
   */
  replaceValue(old: Value, now: Value): void;
  /**
   * What gives those who hold lists or hashes others in their place.
   *
   * @param sawElsewhere - whether code has come to them by variables of other scopes, perhaps
   * @returns `undefined` when it is not certain who is meant, or when they are frozen
   */
  replacing(changes: ReadonlyMap<Value, Value>, sawElsewhere: boolean): (() => void) | undefined;
  /** Ruby code has changed a string: the variable that was the argument, if it was one, has it. */
  replaceArgument(index: number, now: Value): void;
}

export interface RubyScope {
  readonly kind: 'top' | 'node' | 'class' | 'define';
  readonly resource: RubyResource | undefined;
  /** The class, defined type or node whose code it is; empty for the main manifest. */
  readonly sourceName: string;
  readonly sourceModule: string | undefined;
  /** By any name; a missing one comes with the reason that messages give, or none when no message is given. */
  variable(
    name: string,
  ): { readonly value: Value } | { readonly value: undefined; readonly reason: string | undefined };
  /** What templates see as instance variables: names and values, outer ones first. */
  variables(): Iterable<readonly [string, Value]>;
  isLocal(name: string): boolean;
  setVariable(name: string, value: Value): void;
  /** Ruby code has changed the very value of a variable: its other holders see that, too. */
  replaceVariable(name: string, value: Value): void;
  /** Defaults of the type that are in force here. */
  defaults(type: string): Iterable<readonly [string, Value]>;
}

export interface RubyCatalog {
  readonly classes: readonly string[];
  readonly tags: Iterable<string>;
  readonly codeId: string | null;
  find(type: string, title: string): RubyResource | undefined;
  resources(): Iterable<RubyResource>;
  isDefineKnown(name: string): boolean;
  /** Attributes that the title of such a resource stands for, by its type's patterns. */
  titleNames(type: string, title: string): Iterable<readonly [string, Value]>;
}

export interface RubyResource {
  readonly type: string;
  readonly title: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly isVirtual: boolean;
  readonly isExported: boolean;
  readonly tags: Iterable<string>;
  readonly parameters: Iterable<readonly [string, Value]>;
}
