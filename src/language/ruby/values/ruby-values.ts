/** Values that Ruby has and the language has not. Strings are plain: see `string-ownership.ts`. */

import { OpaqueValue, PuppetHash, type Value } from '../../pcore/index.ts';
import type { ResourceDescription } from '../puppet-access.ts';
import { giveUp } from '../signals.ts';

/** A block as a method sees it. */
export interface Block {
  /** Passes one value: an array is spread when the block has several parameters. */
  yield(value: Value): Value;
  /** Passes several values. */
  yieldAll(values: readonly Value[]): Value;
  /** True when it has one parameter or none: then pairs are passed as they are. */
  readonly takesOne: boolean;
}

export class RubySymbol extends OpaqueValue {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  equalityKey(): string {
    return `RubySymbol:${this.name}`;
  }
}

export class RubyRange extends OpaqueValue {
  readonly first: Value;
  readonly last: Value;
  readonly excludesLast: boolean;
  constructor(first: Value, last: Value, excludesLast: boolean) {
    super();
    this.first = first;
    this.last = last;
    this.excludesLast = excludesLast;
  }
  equalityKey(): string {
    return `RubyRange:${this.first}:${this.excludesLast}:${this.last}`;
  }
}

/** What a match leaves behind. Positions are in code units. */
export class RubyMatch extends OpaqueValue {
  readonly found: RegExpExecArray;
  constructor(found: RegExpExecArray) {
    super();
    this.found = found;
  }
  group(index: number): Value {
    return this.found[index] ?? null;
  }
  equalityKey(): string {
    return `RubyMatch:${JSON.stringify(this.found)}`;
  }
}

/** A class or module, known by its name. */
export class RubyModule extends OpaqueValue {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  equalityKey(): string {
    return `RubyModule:${this.name}`;
  }
}

/** What `scope` and `scope.catalog` are in a template: the scope that calls, or top scope. */
export class RubyScope extends OpaqueValue {
  readonly which: 'calling' | 'top';
  constructor(which: RubyScope['which']) {
    super();
    this.which = which;
  }
  equalityKey(): string {
    return 'RubyScope:';
  }
}

export const CALLING_SCOPE = new RubyScope('calling');

/** What makes a resource a reference. */
interface RubyReference {
  readonly written: Value;
  readonly titleNames: () => Iterable<readonly [string, Value]>;
}

/** A resource of the catalog, or a reference to one. */
export class RubyResource extends OpaqueValue {
  readonly type: string;
  readonly title: string;
  /** Absent for a resource of the catalog. */
  private readonly origin: RubyReference | undefined;
  private readonly description: ResourceDescription;
  private parameters: ReadonlyMap<string, Value> | undefined;
  constructor(description: ResourceDescription, reference?: RubyReference) {
    super();
    this.origin = reference;
    this.type = description.type;
    this.title = description.title;
    this.description = description;
  }
  /** What the language has for a reference; `undefined` for a resource of the catalog. */
  get written(): Value | undefined {
    return this.origin?.written;
  }
  /** Of a reference: attributes that its title stands for. */
  get titleNames(): Iterable<readonly [string, Value]> {
    return this.origin?.titleNames() ?? [];
  }
  get reference(): string {
    return `${this.type}[${this.title}]`;
  }
  parameter(name: string): Value {
    this.parameters ??= new Map(this.description.parameters);
    return this.parameters.get(name) ?? null;
  }
  equalityKey(): string {
    return `RubyResource:${this.reference}`;
  }
}

export class RubyCatalog extends OpaqueValue {
  equalityKey(): string {
    return 'RubyCatalog:';
  }
}

/** Stands for a string that was changed in place, so that no copy of the old text is kept. */
export class ChangedString extends OpaqueValue {
  equalityKey(): string {
    return 'ChangedString:';
  }
}

/** A value of which only its origin is known: it may be passed on, but not looked at. */
export class Unknown extends OpaqueValue {
  readonly what: string;
  constructor(what: string) {
    super();
    this.what = what;
  }
  equalityKey(): string {
    return giveUp(`a comparison with ${this.what}`);
  }
}

/** A value that must not be used: it is unknown, or depends on the version of Ruby. */
export const UNUSABLE = new ChangedString();

/** What an iterating method answers that was given no block: its items, and what the block's results are for. */
export class RubyEnumerator extends OpaqueValue {
  readonly items: readonly Value[];
  readonly method: string;
  constructor(items: readonly Value[], method: string) {
    super();
    this.items = items;
    this.method = method;
  }
  equalityKey(): string {
    return 'RubyEnumerator:';
  }
}

/** `proc { ... }` or `lambda { ... }`, called with values as a block is. */
export class RubyProc extends OpaqueValue implements Block {
  readonly isLambda: boolean;
  readonly takesOne: boolean;
  readonly yieldAll: Block['yieldAll'];
  readonly yield: Block['yield'];
  constructor(isLambda: boolean, { takesOne, yield: yieldOne, yieldAll }: Block) {
    super();
    this.isLambda = isLambda;
    this.takesOne = takesOne;
    this.yieldAll = yieldAll;
    this.yield = yieldOne;
  }
  call(args: readonly Value[]): Value {
    const [only = null] = args;
    // One list is spread over the parameters of a proc, but not over those of a lambda.
    return args.length === 1 && !this.isLambda ? this.yield(only) : this.yieldAll(args);
  }
  equalityKey(): string {
    return 'RubyProc:';
  }
}

/** `ENV` */
export class RubyEnvironment extends OpaqueValue {
  private readonly entries: readonly (readonly [string, string])[];
  constructor(entries: readonly (readonly [string, string])[]) {
    super();
    this.entries = entries;
  }
  /** A new hash for each caller. */
  get variables(): RubyHash {
    return new RubyHash(this.entries);
  }
  equalityKey(): string {
    return 'RubyEnvironment:';
  }
}

/** A hash that the template made: it may be changed. */
export class RubyHash extends PuppetHash {
  /** The value of absent keys, or what is asked for it. */
  defaultValue: Value = null;
  defaultProc: RubyProc | undefined;
}
