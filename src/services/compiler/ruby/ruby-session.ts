/** One Ruby process together with everything that the two sides know of each other. */

import type { RubyCaller } from '../../../language/evaluator/index.ts';
import type { Lambda } from '../../../language/functions/index.ts';
import { fault, type PuppetHash, type PuppetType, type Value } from '../../../language/pcore/index.ts';
import { type Ruby, type RubyOptions, type RubyPeer, startRuby } from '../../../platform/ruby/index.ts';
import type { CodePaths } from './code-paths.ts';
import { HeldValues } from './held-values.ts';
import { questions } from './questions.ts';
import { type ReadContext, readValue, readValues } from './read-value.ts';
import { RubyBlock } from './ruby-block.ts';
import { describeForRuby, isForeign, isOutOfMemory } from './ruby-faults.ts';
import { type Holder, writeBlock, writeValue, writeValues } from './write-value.ts';

/** What a session asks its host. */
export interface SessionOwner {
  readonly paths: CodePaths;
  /** The index of the signature that fits, of the function that was loaded from that file. */
  selectDispatch(path: string, args: readonly Value[], block: Lambda | undefined): number;
}

/** A result; where the function has changed values in place, they follow. */
type CalledFrame = readonly [
  result: unknown,
  args?: readonly (readonly [index: number, now: unknown])[],
  variables?: readonly (readonly [isTop: boolean, name: string, now: unknown])[],
];

export class RubySession {
  readonly process: Ruby;
  readonly owner: SessionOwner;
  readonly holder: Holder = { values: new HeldValues(), blocks: new HeldValues() };
  /** Paths of functions, and numbers of templates, that this very process has. */
  readonly loaded = new Set<string>();
  readonly templates = new Set<number>();
  private readonly callers = new HeldValues<RubyCaller>();
  private readonly errors = new HeldValues<unknown>();
  private readonly compiles = new WeakMap<object, number>();
  private readonly active: RubyCaller[] = [];
  private readonly originals = new WeakMap<object, { readonly compile: object; readonly id: number }>();
  private compileCount = 0;
  private handedOver = 0;
  private readonly peer: RubyPeer = {
    answer: (question, given) => this.answer(question, given),
    refuse: (error) => describeForRuby(error, this.errors.hold(error)),
  };

  constructor(options: RubyOptions, owner: SessionOwner) {
    this.process = startRuby(options);
    this.owner = owner;
  }

  /**
   * Calls one of the methods of `server.rb` and reads the value that it returns.
   *
   * @param args - JSON texts
   * @throws RubyError, RubyDied, and what the language threw while Ruby was calling it
   */
  evaluate(method: string, caller: RubyCaller, ...args: readonly string[]): Value {
    return this.run(method, caller, args, (json) => this.read(json));
  }

  /** Calls a function; what it did to the values that it was given or looked up is done here, too. */
  callFunction(
    method: 'invoke' | 'call' | 'legacy',
    caller: RubyCaller,
    given: readonly Value[],
    ...args: readonly string[]
  ): Value {
    return this.run(method, caller, args, (json) => this.readCalled(json as CalledFrame, caller, given));
  }

  /** As `evaluate`, for values that the language does not have. Without a caller, Ruby can ask little. */
  call(method: string, caller: RubyCaller | undefined, ...args: readonly string[]): unknown {
    return this.run(method, caller, args, (json) => json);
  }

  close(): void {
    this.process.close();
  }

  // --- for questions

  /** The innermost call. */
  get caller(): RubyCaller {
    const caller = this.active.at(-1);
    if (caller === undefined) throw fault('Ruby code asks for something that only a compile knows');
    return caller;
  }

  /** The scope that Ruby means: that of a call which has not ended yet. */
  callerOf(id: unknown): RubyCaller {
    return this.callers.get(id) ?? this.caller;
  }

  read(json: unknown): Value {
    return readValue(json, this.readContext);
  }

  readAll(json: unknown): readonly Value[] {
    return readValues(json, this.readContext);
  }

  readType(json: unknown): PuppetType {
    // Ruby sends nothing but types here.
    return this.read(json) as PuppetType;
  }

  readBlock(json: unknown): Lambda | undefined {
    if (json === null || json === undefined) return undefined;
    const block = json as { v?: unknown; own?: number; n?: readonly (readonly [string, string])[] };
    if (block.own === undefined) return this.holder.blocks.get(block.v);
    const id = block.own;
    return new RubyBlock(id, block.n ?? [], (args) =>
      this.evaluate('block', this.caller, String(id), writeValues(args, this.holder)),
    );
  }

  write(value: Value): string {
    return writeValue(value, this.holder);
  }

  /** Variables for a template. */
  writeVariables(variables: PuppetHash, caller: RubyCaller): string {
    const parts = Array.from(
      variables,
      ([name, value]) => `${JSON.stringify(name)}:${this.writeVariable(value, caller)}`,
    );
    return `{${parts.join(',')}}`;
  }

  /** A variable; one that Ruby code has set in this compile is the object that it was. */
  writeVariable(value: Value, caller: RubyCaller = this.caller): string {
    const known = typeof value === 'object' && value !== null ? this.originals.get(value) : undefined;
    if (known !== undefined && known.compile === caller.compile) return `{"~":"z","v":${known.id},"x":null}`;
    const original = caller.originalOf(value);
    if (original !== undefined) return this.handOver(value, original, caller);
    return caller.isFrozen(value) ? `{"~":"fz","v":${this.write(value)}}` : this.write(value);
  }

  /** From now on Ruby has the object that a variable was set to without it. */
  private handOver(value: Value, original: Value, { compile }: RubyCaller): string {
    // Numbers that Ruby gives are positive.
    this.handedOver -= 1;
    if (typeof value === 'object' && value !== null)
      this.originals.set(value, { compile, id: this.handedOver });
    return `{"~":"k","v":${this.write(original)},"i":${this.handedOver}}`;
  }

  /** Ruby keeps the object that `value` was made of under this number. */
  remember(value: Value, id: number): void {
    if (typeof value !== 'object' || value === null) return;
    this.originals.set(value, { compile: this.caller.compile, id });
  }

  writeBlock(block: Lambda | undefined): string {
    return writeBlock(block, this.holder);
  }

  private run<T>(
    method: string,
    given: RubyCaller | undefined,
    args: readonly string[],
    read: (json: unknown) => T,
  ): T {
    const caller = given ?? this.active.at(-1);
    if (caller === undefined) return this.runAlone(method, args, read);
    const calling = this.callers.hold(caller);
    const top = this.callers.hold(caller.top);
    this.active.push(caller);
    const head = [JSON.stringify(method), calling, top, this.compileNumber(caller.compile)];
    try {
      return read(this.process.call([...head, ...args].join(','), this.peer));
    } catch (error) {
      throw this.original(error);
    } finally {
      this.active.pop();
      this.callers.release(calling);
      this.callers.release(top);
      if (this.active.length === 0) this.forgetCall();
    }
  }

  private readCalled(
    [result, args, variables]: CalledFrame,
    caller: RubyCaller,
    given: readonly Value[],
  ): Value {
    for (const [index, changed] of args ?? []) {
      const now = this.read(changed);
      if (typeof now === 'string') caller.replaceArgument(index, now);
      else caller.replaceValue(given[index] ?? null, now);
    }
    for (const [isTop, name, changed] of variables ?? []) {
      const { scope } = isTop ? caller.top : caller;
      const { value: old = null } = scope.variable(name);
      const now = this.read(changed);
      if (typeof now === 'string') scope.replaceVariable(name.replace(/^::/, ''), now);
      else caller.replaceValue(old, now);
    }
    return this.read(result);
  }

  /** A call that is part of no compile. */
  private runAlone<T>(method: string, args: readonly string[], read: (json: unknown) => T): T {
    const head = [JSON.stringify(method), 'null', 'null', 'null'];
    try {
      return read(this.process.call([...head, ...args].join(','), this.peer));
    } catch (error) {
      throw this.original(error);
    } finally {
      this.forgetCall();
    }
  }

  private get readContext(): ReadContext {
    return { holder: this.holder, types: this.caller.types };
  }

  private answer(question: string, args: readonly unknown[]): string {
    const answer = questions.get(question);
    if (answer === undefined) throw new Error(`unknown question of Ruby: ${question}`);
    return answer(this, args);
  }

  /** An error of ours that has passed through Ruby is the same again. */
  private original(error: unknown): unknown {
    if (isOutOfMemory(error)) this.close();
    if (!isForeign(error)) return error;
    return this.errors.get(error.foreignId) ?? error;
  }

  private compileNumber(compile: object): number {
    let number = this.compiles.get(compile);
    if (number === undefined) {
      this.compileCount += 1;
      number = this.compileCount;
      this.compiles.set(compile, number);
    }
    return number;
  }

  private forgetCall(): void {
    this.holder.values.clear();
    this.holder.blocks.clear();
    this.errors.clear();
  }
}
