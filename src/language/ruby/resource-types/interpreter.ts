/**
 * Interprets the part of Ruby in which resource types are defined: what runs while the file is loaded. Method bodies
 * that only run later are not looked at. Whatever is not modelled ends with `Unmodelled`.
 */

import type { RubyNode, RubyProgram } from '../../../lib/ruby-syntax/index.ts';
import { PuppetError } from '../../syntax/index.ts';
import { NO_EFFECTS } from '../effects.ts';
import { nowhere } from '../nowhere.ts';
import { Run } from '../run.ts';
import { GiveUp, RubyFailure } from '../signals.ts';
import { resolvePath } from '../values/file-names.ts';
import type { RubyProc } from '../values/ruby-values.ts';
import { evaluators } from './evaluators.ts';
import { type Frame, Locals } from './frame.ts';
import { bindParameters } from './parameters.ts';
import { type RubyMethod, RubyModule, type TypeClass } from './ruby-module.ts';
import { NextSignal, ReturnSignal } from './signals.ts';
import { Unmodelled } from './unmodelled.ts';
import { type Value, WrittenProc } from './values.ts';

/** Where Ruby finds files. */
export interface RubyFiles {
  /** Logical path of the file that `require` would load from a library directory; `undefined` when none has it. */
  find(feature: string): string | undefined;
  /** @returns `undefined` when there is no such file. */
  parse(path: string): RubyProgram | undefined;
  /** Code that is no file. */
  parseText(text: string): RubyProgram;
  /** What `Puppet.version` says. */
  readonly puppetVersion: string;
}

const MOST_STEPS = 500_000;
const DEEPEST = 150;

export class Interpreter {
  readonly files: RubyFiles;
  /** What methods of Ruby's own classes work on. All lists and hashes are the file's own. */
  readonly run = new Run(nowhere, { effects: { ...NO_EFFECTS, beforeChange: () => undefined } });
  /** By name, in lower case. */
  readonly types = new Map<string, TypeClass>();
  readonly constants = new Map<string, Value>();
  /** Methods defined outside any module. */
  readonly globalMethods = new Map<string, RubyMethod>();
  private readonly foreignModules = new Map<string, RubyModule>();
  private readonly loaded = new Set<string>();
  private readonly tainted = new WeakSet<object>();
  /** How often something was called that is not known, and may have failed. */
  unknownCalls = 0;
  private steps = 0;
  private depth = 0;

  constructor(files: RubyFiles) {
    this.files = files;
  }

  /** Runs a file once. @returns false when it had been run before or does not exist */
  load(file: string): boolean {
    const path = resolvePath('/', file);
    if (this.loaded.has(path)) return false;
    const program = this.files.parse(path);
    if (program === undefined) return false;
    this.loaded.add(path);
    if (program.error !== undefined) throw new Unmodelled(`a syntax error: ${program.error.message}`);
    const frame: Frame = {
      self: undefined,
      definitions: 'instance',
      modules: [],
      locals: new Locals(),
      block: undefined,
      file: path,
    };
    try {
      this.evaluate(program.root, frame);
    } catch (signal) {
      // `return` outside of methods ends the file.
      if (!(signal instanceof ReturnSignal)) throw signal;
    }
    return true;
  }

  evaluate(node: RubyNode | null, frame: Frame): Value {
    if (node === null) return null;
    this.steps += 1;
    if (this.steps > MOST_STEPS) throw new Unmodelled('code that runs for long');
    const evaluator = evaluators[node.kind];
    if (evaluator === undefined) throw located(new Unmodelled(`the construct ${node.kind}`), node, frame);
    try {
      return evaluator(node, frame, this);
    } catch (error) {
      if (error instanceof GiveUp) throw located(new Unmodelled(error.reason), node, frame);
      // Of which class it would be is not known here.
      if (error instanceof RubyFailure || error instanceof PuppetError)
        throw located(new Unmodelled(error.message), node, frame);
      if (error instanceof Unmodelled) throw located(error, node, frame);
      throw error;
    }
  }

  /** Calls a block or proc, with another `self` when one is given. `break` ends its caller. */
  callProc(proc: RubyProc, args: readonly Value[], self?: RubyModule): Value {
    if (!(proc instanceof WrittenProc)) return proc.call(args);
    const { frame } = proc;
    const locals = new Locals(frame.locals);
    const inner: Frame =
      self === undefined ? { ...frame, locals } : { ...frame, self, definitions: 'instance', locals };
    return this.nested(() => {
      bindParameters(proc.parameters, args, { frame: inner, interpreter: this, isLenient: !proc.isLambda });
      try {
        return this.evaluate(proc.body, inner);
      } catch (signal) {
        if (signal instanceof NextSignal) return signal.value;
        if (proc.isLambda && signal instanceof ReturnSignal) return signal.value;
        throw signal;
      }
    });
  }

  /** Calls a method that is written in Ruby. */
  invoke(
    method: RubyMethod,
    self: RubyModule | undefined,
    args: readonly Value[],
    block: RubyProc | undefined,
  ): Value {
    if (method.block !== undefined) return this.callProc(method.block, args, self);
    const frame: Frame = { ...method.frame, self, definitions: 'instance', locals: new Locals(), block };
    return this.nested(() => {
      bindParameters(method.parameters, args, { frame, interpreter: this, isLenient: false });
      try {
        return this.evaluate(method.body, frame);
      } catch (signal) {
        if (signal instanceof ReturnSignal) return signal.value;
        throw signal;
      }
    });
  }

  /** A module that is defined elsewhere, always the same for one name. */
  foreign(path: string): RubyModule {
    const known = this.foreignModules.get(path);
    if (known !== undefined) return known;
    const created = new RubyModule(path, { isForeign: true });
    this.foreignModules.set(path, created);
    return created;
  }

  /** Something unknown got hold of these: they may have changed since. */
  taint(values: readonly Value[]): void {
    for (const value of values) if (typeof value === 'object' && value !== null) this.tainted.add(value);
  }

  requireUntainted(value: object): void {
    if (this.tainted.has(value)) throw new Unmodelled('a value that something unknown may have changed');
  }

  private nested<T>(body: () => T): T {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new Unmodelled('calls that are nested deeply');
    try {
      return body();
    } finally {
      this.depth -= 1;
    }
  }
}

/** The innermost place wins. */
function located(error: Unmodelled, node: RubyNode, frame: Frame): Unmodelled {
  if (error.file === undefined) {
    error.file = frame.file;
    error.offset = node.offset;
  }
  return error;
}
