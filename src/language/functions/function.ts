/** The contract between functions and their caller. Functions import this, never the evaluator. */

import type { DisableableWarning, Environment } from '../environment/index.ts';
import type { EyamlDecryptor, LookupRequest } from '../hiera/index.ts';
import type { LanguageLevel } from '../levels/index.ts';
import type { PuppetHash, PuppetType, TypeResolver, Value } from '../pcore/index.ts';
import type { Position } from '../syntax/index.ts';

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'err' | 'alert' | 'emerg' | 'crit';

/** A lambda or function passed to a function. */
export interface Lambda {
  /** Missing optional parameters get their defaults; arguments are type-checked with the block's own messages. */
  call(args: readonly Value[]): Value;
  /** How many parameters it needs, and how many it takes (`Infinity` with a captures-rest parameter). */
  readonly minParameters: number;
  readonly maxParameters: number;
  readonly parameterNames: readonly string[];
  /** Its `Callable` type. */
  readonly type: PuppetType;
}

export interface ParameterSpec {
  /** A type expression as in `dispatch`'s `param 'Variant[String, Integer]', :x`; resolved once, lazily. */
  readonly type: string;
  readonly name: string;
  /** `required` when absent. `repeated` takes zero or more, `required-repeated` one or more; only last. */
  readonly arity?: 'optional' | 'repeated' | 'required-repeated';
}

/** One signature of a function with its implementation. */
export interface Dispatch {
  readonly parameters: readonly ParameterSpec[];
  /** Absent: a block is not accepted. */
  readonly block?: { readonly type?: string; readonly name?: string; readonly isOptional?: boolean };
  readonly returns?: string;
  /** True for a signature that only explains a wrong call: what `call` returns is the error's text. */
  readonly isMismatch?: boolean;
  /** `context` is not type-checked again: `args` fit `parameters`. */
  readonly call: (context: CallContext, args: readonly Value[], block: Lambda | undefined) => Value;
}

/**
 * A function that is built in. One file for each, named after it in kebab-case (`reverse-each.ts`);
 * the catalog of all of them is `builtin.ts`.
 */
export interface BuiltinFunction {
  readonly name: string;
  readonly dispatches: readonly Dispatch[];
  /** Type aliases that the dispatches may use, as with `local_types`. */
  readonly localTypes?: Readonly<Record<string, string>>;
  /** Knows the types of an environment, for functions that are not built in. */
  readonly types?: TypeResolver;
  /**
   * What becomes of strings of bytes among the arguments: `values` hands them over, `kept` hands over one
   * character for each byte and makes bytes of the strings in the result; `shown` hands over text for people, for
   * functions whose result has nothing of it. Absent: they are read as UTF-8, and refused when they are something else.
   */
  readonly bytes?: 'values' | 'kept' | 'shown';
  /** What differs at a language level; absent where the function is the same at all of them. */
  readonly atLevel?: (level: LanguageLevel) => Partial<Pick<BuiltinFunction, 'dispatches'>>;
  /** True for statement functions of the 3.x kind, whose result must not be used (`realize`, `fail`, ...). */
  readonly isStatement?: boolean;
}

/** Gives literals their type. */
export function defineFunction(definition: BuiltinFunction): BuiltinFunction {
  return definition;
}

/** What the calling scope offers. Names are without `$`, `::` allowed (`'apache::port'`, `'::top'`). */
export interface ScopeView {
  /** The value, or `undefined` when no such variable is set. Never reports. */
  find(name: string): Value | undefined;
  has(name: string): boolean;
  /** Variables that are visible here, nearest first; for templates and `inline_epp`. */
  visibleNames(): Iterable<string>;
  /** `Class[Foo]`/define/node that the scope belongs to, as a reference string; `undefined` at top scope. */
  readonly resource: string | undefined;
  readonly moduleName: string | undefined;
  /** Tags in force here: of the container, and of the catalog (the names of all classes evaluated so far). */
  tags(): Iterable<string>;
}

/** The catalog as functions see it. */
export interface CatalogView {
  /** `include`, `require`, `contain`: evaluates classes; returns their references as types. */
  declareClasses(names: readonly Value[], how: 'include' | 'require' | 'contain'): Value;
  /** `create_resources(type, resources, defaults)` with every form of the type name (`@file`, `@@file`, `class`). */
  createResources(type: string, resources: PuppetHash, defaults: PuppetHash): readonly Value[];
  realize(references: readonly Value[]): void;
  /** Whether `Type[title]` has been declared so far. */
  hasResource(type: string, title: string): boolean;
  /** A parameter of a declared resource; `undefined` when absent. */
  resourceParameter(type: string, title: string, parameter: string): Value | undefined;
  addTags(names: readonly string[]): void;
  /** Whether the class has been evaluated, the type or class or define exists: for `defined()`. */
  isClassDeclared(name: string): boolean;
  isTypeKnown(name: string): boolean;
  isClassKnown(name: string): boolean;
}

/** Everything that a function may need from the one who calls it. */
export interface CallContext {
  readonly environment: Environment;
  readonly scope: ScopeView;
  readonly catalog: CatalogView;
  /** Where the call stands. */
  readonly position: Position;
  readonly certname: string;
  /** Calls any function by name, Puppet-language and Ruby ones included. */
  callFunction(name: string, args: readonly Value[], block?: Lambda): Value;
  isFunctionKnown(name: string): boolean;
  /** Resolves type text in this context, aliases of the environment included. */
  resolveType(text: string): PuppetType;
  log(level: LogLevel, message: string): void;
  /** A warning given once for each `key` in the life of a process; deprecations are counted apart. */
  warnOnce(key: string, message: string, kind?: 'unique' | 'deprecation', type?: DisableableWarning): void;
  /** `lookup()` without its argument parsing: see `hiera/`. */
  lookup(request: LookupRequest): Value | undefined;
  /** The text of an EPP template; `Sensitive` when something in it is. */
  evaluateEpp(source: EppSource, parameters: PuppetHash | undefined): Value;
  /** Runs a Ruby template; throws a `PuppetError` that names the file when Ruby is not available. */
  evaluateErb(source: ErbSource): string;
  /** Effects outside the language: processes, the server's own files. Each may throw a `PuppetError`. */
  readonly outside: Outside;
  /** Without it encrypted data is an error. */
  readonly eyaml?: EyamlDecryptor | undefined;
  /** Ends the whole function or lambda that contains the call: for `return`, `break`, `next`. */
  controlFlow(kind: 'return' | 'break' | 'next', value: Value): never;
}

export type { LookupRequest };

/** A template as `epp` and `inline_epp` hand it over. */
export interface EppSource {
  /** Its logical path; `inlined-epp-text` for `inline_epp`. */
  readonly file: string;
  readonly text: string;
  /** True for `inline_epp`: it sees the variables of the caller, and its errors begin with `inline_epp(): `. */
  readonly isInline: boolean;
}

/** A template as `template` and `inline_template` hand it over. */
export interface ErbSource {
  /** Its logical path; `''` for a template that is given as text. */
  readonly file: string;
  readonly text: string;
  /** What it was called by: `apache/vhost.conf.erb`; `''` for a template that is given as text. */
  readonly name: string;
}

/** What functions reach outside the code version; supplied by the host, absent parts throw. */
export interface Outside {
  /** `generate()`: what a command prints. @throws PuppetError when it fails */
  generate(command: string, args: readonly string[]): string;
  /** `file('/absolute/path')`: files of the server itself. */
  readServerFile(path: string): Uint8Array | undefined;
  /** Milliseconds since the epoch, for `Timestamp.new` and `strftime`. */
  now(): number;
  /** A source of random numbers in [0, 1). */
  random(): number;
  /** `puppetdb_query`: rows, as PuppetDB answers them. */
  queryPuppetdb(query: Value): Value;
}

/**
 * Thrown (not as an `Error`: it has no stack) by `break()`. Iterating functions catch it around their loop and
 * stop; a jump that is not caught is an error of the evaluator.
 */
export class BreakSignal {
  readonly position: Position;
  constructor(position: Position) {
    this.position = position;
  }
}
