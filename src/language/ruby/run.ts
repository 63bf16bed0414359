/** One rendering, or one call of a function: what compiled code works on. */

import { isArray, PuppetHash, type Value } from '../pcore/index.ts';
import { type Effects, NO_EFFECTS } from './effects.ts';
import type { ErbContext } from './erb-context.ts';
import { giveUp } from './signals.ts';
import type { RubyMatch } from './values/ruby-values.ts';

/** Where a function is called. */
export interface FunctionPlace {
  readonly caller: ErbContext;
  /** Top scope, for functions that see no other. */
  readonly top: ErbContext;
  readonly effects: Effects;
  /** Of the function. */
  readonly file: string;
  /** Whether the function is called for a key of Hiera, by who takes `NO_SUCH_KEY` for an answer. */
  readonly isForKey: boolean;
  /** Of a function of the newer kind: the method behind the signature that fits. @throws GiveUp, PuppetError */
  methodFor(args: readonly Value[]): string;
}

type RunPlace = Partial<FunctionPlace> & Pick<FunctionPlace, 'effects'>;

/** A compiled expression. */
export type Code = (run: Run) => Value;

export class Run {
  readonly context: ErbContext;
  out = '';
  locals: Value[] = [];
  /** The last match: `$~`, `$1`. */
  match: RubyMatch | null = null;
  /** Whether something was called that can't be called again. */
  hadEffects = false;
  /** Where in the Ruby source the last call began, in bytes. */
  offset = 0;
  depth = 0;
  /** Those that the code defines. */
  constants: Map<string, Value> | undefined;
  readonly methods: Map<string, (run: Run, args: readonly Value[]) => Value>;
  readonly effects: Effects;
  private readonly place: RunPlace | undefined;
  /** What was set before this began: instance variables are what they were then. */
  private readonly inherited: ReadonlyMap<string, Value> | undefined;
  private variables: Map<string, Value> | undefined;
  private allVariables: Map<ErbContext, PuppetHash> | undefined;
  private owned: WeakSet<readonly Value[]> | undefined;
  private fixed: Set<readonly Value[] | PuppetHash> | undefined;

  /** @param methods - those of the class, of a function of the newer kind */
  constructor(context: ErbContext, place?: RunPlace, methods: Run['methods'] = new Map()) {
    this.context = context;
    this.place = place;
    this.effects = place?.effects ?? NO_EFFECTS;
    const { variables } = this.effects;
    this.inherited = variables.size === 0 ? undefined : new Map(variables);
    this.methods = methods;
  }

  get top(): ErbContext {
    return this.place?.top ?? this.context;
  }

  /** Of the function. */
  get file(): string | undefined {
    return this.place?.file;
  }

  /** Whether who called the method that runs takes `NO_SUCH_KEY` for an answer. */
  get takesNoSuchKey(): boolean {
    return this.depth === 1 && this.place?.isForKey === true;
  }

  /** Calls the method of a function whose signature fits. @throws GiveUp, PuppetError when none does */
  redispatch(args: readonly Value[]): Value {
    const method = this.methods.get(this.place?.methodFor?.(args) ?? giveUp('another signature'));
    return method === undefined ? giveUp('another signature') : method(this, args);
  }

  variable(name: string): Value {
    this.variables ??= new Map();
    const known = this.variables.get(name);
    if (known !== undefined) return known;
    const value = this.inherited?.get(name) ?? this.context.instanceVariable(name) ?? null;
    this.variables.set(name, value);
    return value;
  }

  /** All variables in sight, to be read only: code asks for them again and again. */
  variablesOf(context: ErbContext): PuppetHash {
    this.allVariables ??= new Map();
    let all = this.allVariables.get(context);
    if (all === undefined) {
      all = new PuppetHash(context.variables());
      // Its values are those of the variables, and may be changed.
      this.fix(all);
      this.allVariables.set(context, all);
    }
    return all;
  }

  setVariable(name: string, value: Value): void {
    this.variables ??= new Map();
    this.variables.set(name, value);
  }

  /** Marks lists and hashes that must not be changed, because their holders could not be told. */
  protected(value: Value): Value {
    if (isArray(value)) {
      this.fix(value);
      for (const item of value) this.protected(item);
    } else if (value instanceof PuppetHash) {
      this.fix(value);
      for (const item of value.values()) this.protected(item);
    }
    return value;
  }

  /** `freeze`: later changes are left to Ruby. */
  freeze(value: readonly Value[] | PuppetHash): void {
    if (isArray(value)) this.owned?.delete(value);
    this.fix(value);
  }

  /** @throws GiveUp */
  assertChangeable(value: readonly Value[] | PuppetHash): void {
    if (this.fixed?.has(value) === true) giveUp('a change of a shared value');
  }

  private fix(value: readonly Value[] | PuppetHash): void {
    this.fixed ??= new Set();
    this.fixed.add(value);
  }

  /** Marks an array as made by the template: it may be changed, as it is not seen elsewhere. */
  own(array: Value[]): Value[] {
    this.owned ??= new WeakSet();
    this.owned.add(array);
    return array;
  }

  owns(array: readonly Value[]): array is Value[] {
    return this.owned?.has(array) === true;
  }
}
