/** The Ruby code of one version of an environment, run in a process of its own. */

import { existsSync } from 'node:fs';
import { type Environment, joinPath, type RubyFunctionFile } from '../../../language/environment/index.ts';
import type {
  FoundResourceType,
  RubyCaller,
  RubyFunctionCall,
  RubyHost,
  RubyMemberCall,
} from '../../../language/evaluator/index.ts';
import { type ErbSource, type Lambda, legacyArgument } from '../../../language/functions/index.ts';
import { fault, isArray, PuppetHash, type PuppetType, type Value } from '../../../language/pcore/index.ts';
import {
  CALLING_SCOPE,
  DeferredEffects,
  type Effects,
  GiveUp,
  giveUp,
  type InterpretedFunctions,
  withResources,
} from '../../../language/ruby/index.ts';
import { PuppetError } from '../../../language/syntax/index.ts';
import {
  DEFAULT_COMMANDS,
  DEFAULT_MEMORY_BYTES,
  DEFAULT_TIMEOUT_SECONDS,
  type RubyIdentity,
  type RubyImages,
  RubyMissing,
  type RubyOptions,
  shimDirectory,
} from '../../../platform/ruby/index.ts';
import { processEnvironment } from '../../../platform/settings/index.ts';
import { type CodePaths, physicalPath, withLogicalPaths } from './code-paths.ts';
import { FunctionInterpreter, type InterpretedCall } from './function-interpreter.ts';
import { KnownTemplates, templateVariables } from './known-templates.ts';
import { faultFromRuby } from './ruby-faults.ts';
import {
  type ChosenDispatch,
  type FunctionDescription,
  RubyFunction,
  wovenArguments,
} from './ruby-functions.ts';
import { resourceTypeOf, type TypeDescription } from './ruby-resource-types.ts';
import { RubySession, type SessionOwner } from './ruby-session.ts';
import { writeLegacyValue } from './write-value.ts';

export interface RubyEnvironmentOptions {
  readonly environment: Environment;
  readonly paths: CodePaths;
  /** Tried in this order: see `DEFAULT_COMMANDS`. */
  readonly commands?: readonly string[];
  /** Of the built-in Ruby, for when none of the commands starts. */
  readonly images?: RubyImages;
  /** Directories of Ruby code besides those of the environment, after them. */
  readonly libraries?: readonly string[];
  /** How long code may run at a stretch. */
  readonly timeoutSeconds?: number;
  /** Address space of the process. */
  readonly memoryBytes?: number;
  /** Runs functions without Ruby, as far as what they do is modelled. */
  readonly interpreter?: InterpretedFunctions;
  /** Told of each process that begins and ends. */
  readonly observe?: RubyObserver;
}

export interface RubyObserver {
  /** Is around all that Ruby does for a manifest; `layer` tells who did it, once it is done. */
  measure?<T>(
    served: 'function' | 'template' | 'resource type',
    layer: () => 'L1' | RubyIdentity['layer'] | undefined,
    work: () => T,
  ): T;
  started(identity: RubyIdentity): void;
  ended(identity: RubyIdentity): void;
}

/** Templates that are made while compiling would pile up otherwise. */
const MAX_TEMPLATES = 5000;

export class RubyEnvironment implements RubyHost, SessionOwner {
  readonly paths: CodePaths;
  private readonly options: RubyEnvironmentOptions;
  private readonly timeoutSeconds: number;
  /** By the paths of their files: several may have one name. */
  private readonly functions = new Map<string, RubyFunction>();
  private templates = new KnownTemplates();
  private current: RubySession | undefined;
  private readonly interpreter: FunctionInterpreter | undefined;
  /** Set while functions must not go on to Ruby: what they do is put off, or given up. */
  private revocable: Effects | undefined;
  /** Who served the call that ended last. */
  private layer: 'L1' | undefined;

  constructor(options: RubyEnvironmentOptions) {
    this.options = options;
    this.paths = options.paths;
    this.timeoutSeconds = options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
    this.interpreter =
      options.interpreter && new FunctionInterpreter(options.interpreter, options.environment.files, this);
  }

  findResourceType(name: string, file: string, caller: RubyCaller): FoundResourceType | undefined {
    const what = `The resource type '${name}' (${file})`;
    let session: RubySession;
    try {
      session = this.session();
    } catch (error) {
      if (error instanceof RubyMissing) return undefined;
      throw error;
    }
    const answer = this.guarded(what, () =>
      this.measured('resource type', () => session.call('type', caller, JSON.stringify(name))),
    );
    if (answer === null) return { kind: 'none' };
    // The shim describes types in exactly this form.
    const info = resourceTypeOf(answer as TypeDescription, (pattern, attribute, capture) => {
      const place = [JSON.stringify(name), String(pattern), String(attribute), JSON.stringify(capture)];
      const converted = this.guarded(what, () => this.session().call('convertTitle', undefined, ...place));
      return converted === null ? null : String(converted);
    });
    return { kind: 'type', info };
  }

  callFunction(call: RubyFunctionCall, caller: RubyCaller): Value {
    const { file, name } = call;
    const { revocable } = this;
    this.revocable = undefined;
    try {
      return this.guarded(`The function '${name}' (${file.path})`, () =>
        this.measured('function', () =>
          file.api === '3.x' ? this.callLegacy(call, caller) : this.callNewer(call, caller),
        ),
      );
    } finally {
      this.revocable = revocable;
    }
  }

  callMember({ args, block, file, member, receiver }: RubyMemberCall, caller: RubyCaller): Value {
    const { type } = receiver;
    return this.guarded(`The data type '${type.name}' (${file})`, () => {
      const session = this.session();
      const about = { name: type.name, parameters: type.parameters.map(({ name }) => name) };
      const attributes = [...type.attributes.values()].filter(({ kind }) => kind !== 'derived');
      const values = attributes.map(
        ({ name }) => `${JSON.stringify(name)}:${session.write(receiver.attribute(name) ?? null)}`,
      );
      const defaults = attributes.flatMap(({ name, value }) =>
        value === undefined ? [] : [`${JSON.stringify(name)}:${session.write(value)}`],
      );
      return session.evaluate(
        'member',
        caller,
        this.quoted(file),
        JSON.stringify(about),
        `{${defaults.join(',')}}`,
        `{${values.join(',')}}`,
        JSON.stringify(member),
        list(args.map((argument) => session.write(argument))),
        session.writeBlock(block),
      );
    });
  }

  interpretFunction(call: RubyFunctionCall, caller: RubyCaller, effects: Effects): Value {
    if (this.interpreter === undefined) return giveUp('a function in Ruby');
    const { args, block, file } = call;
    if (file.api === '3.x') return this.interpreter.value(call, args, caller, effects);
    const { revocable } = this;
    this.revocable = effects;
    try {
      const found = this.newer(call.name, file, caller);
      if (!found.overridesCall) return found.call(args, block, caller);
      const { name } = call;
      return this.interpreter.value(
        { name, file, method: 'call' },
        [CALLING_SCOPE, ...args],
        caller,
        effects,
      );
    } finally {
      this.revocable = revocable;
    }
  }

  returnTypes(
    { file, name }: Pick<RubyFunctionCall, 'file' | 'name'>,
    caller: RubyCaller,
  ): readonly PuppetType[] {
    if (file.api === '3.x') return [];
    return this.guarded(
      `The function '${name}' (${file.path})`,
      () => this.newer(name, file, caller).returnTypes,
    );
  }

  evaluateErb(source: ErbSource, caller: RubyCaller): string {
    const what = source.file === '' ? 'An inline template' : `The template ${source.file}`;
    return this.guarded(what, () => this.measured('template', () => this.render(source, caller)));
  }

  selectDispatch(path: string, args: readonly Value[], block: Lambda | undefined): number {
    const found = this.functions.get(path);
    if (found === undefined) throw fault(`Unknown function: '${path}'.`);
    return found.select(args, block);
  }

  methodFor(path: string, args: readonly Value[]): string {
    const dispatch = this.functions.get(path)?.chosen(args, undefined);
    const isPlain = dispatch?.weaving.every((knit) => typeof knit === 'number') === true;
    return isPlain ? dispatch.method : giveUp('such a signature');
  }

  environmentVariable(name: string): string | undefined {
    return processEnvironment()[name];
  }

  /** Ends the process; the next call starts another. */
  close(): void {
    const session = this.current;
    this.current = undefined;
    if (session === undefined) return;
    session.close();
    this.options.observe?.ended(session.process.identity);
  }

  /** Loads a function without calling it. @throws PuppetError when its file is at fault */
  load({ file, name }: Pick<RubyFunctionCall, 'file' | 'name'>, caller: RubyCaller): void {
    this.guarded(`The function '${name}' (${file.path})`, () => {
      if (file.api === '4.x') this.newer(name, file, caller);
      else this.session().call('loadLegacy', caller, JSON.stringify(name), this.quoted(file.path));
      return null;
    });
  }

  private callLegacy(call: RubyFunctionCall, caller: RubyCaller): Value {
    const { args, file, name } = call;
    const converted = args.map(legacyArgument);
    const interpreted = converted.map((value) =>
      withResources(value, (type, title) => caller.catalog.titleNames(type, title)),
    );
    const served = this.interpreted(call, interpreted, caller);
    if (served !== undefined) return served.value;
    const session = this.session();
    const given = converted.map((argument) => writeLegacyValue(argument, session.holder));
    const quoted = [JSON.stringify(name), this.quoted(file.path), list(given)];
    return session.callFunction('legacy', caller, args, ...quoted);
  }

  /** A function that is interpreted; what it does comes when it has ended. `undefined` when Ruby has to run it. */
  private interpreted(
    call: InterpretedCall,
    args: readonly Value[],
    caller: RubyCaller,
  ): { readonly value: Value } | undefined {
    this.layer = undefined;
    const effects = new DeferredEffects('change');
    try {
      const outcome = this.interpreter?.call(call, args, caller, effects);
      this.layer = undefined;
      if (outcome?.kind !== 'returned') return undefined;
      const value = effects.perform(outcome.value);
      this.layer = 'L1';
      return { value };
    } catch (error) {
      if (!(error instanceof GiveUp)) throw error;
      return undefined;
    } finally {
      effects.revoke();
    }
  }

  private callNewer({ args, block, file, name }: RubyFunctionCall, caller: RubyCaller): Value {
    const found = this.newer(name, file, caller);
    if (!found.overridesCall) return found.call(args, block, caller);
    const served =
      block === undefined
        ? this.interpreted({ name, file, method: 'call' }, [CALLING_SCOPE, ...args], caller)
        : undefined;
    if (served !== undefined) return served.value;
    const session = this.session();
    const given = list(args.map((argument) => session.write(argument)));
    return session.callFunction(
      'call',
      caller,
      args,
      JSON.stringify(file.path),
      given,
      session.writeBlock(block),
    );
  }

  /** A function of the newer kind; the process that runs now has loaded it. */
  private newer(name: string, file: RubyFunctionFile, caller: RubyCaller): RubyFunction {
    const session = this.session();
    const { path } = file;
    const known = this.functions.get(path);
    if (known !== undefined && session.loaded.has(path)) return known;
    const key = JSON.stringify(path);
    const loaded = session.call('load', caller, JSON.stringify(name), key, this.quoted(path));
    session.loaded.add(path);
    if (known !== undefined) return known;
    // The shim describes functions in exactly this form.
    const found = new RubyFunction(
      name,
      loaded as FunctionDescription,
      caller.types,
      (dispatch, args, block, from) => this.invoke({ name, file, args, block }, dispatch, from),
    );
    this.functions.set(path, found);
    return found;
  }

  private invoke(call: RubyFunctionCall, dispatch: ChosenDispatch, caller: RubyCaller): Value {
    const { args, block, file, name } = call;
    const given = block === undefined ? wovenArguments(dispatch, args) : undefined;
    if (given !== undefined && this.interpreter !== undefined) {
      const interpreted = { name, file, method: dispatch.method };
      if (this.revocable !== undefined)
        return this.interpreter.value(interpreted, given, caller, this.revocable);
      const served = this.interpreted(interpreted, given, caller);
      if (served !== undefined) return served.value;
    }
    if (this.revocable !== undefined) return giveUp(`a call of ${name}`);
    const session = this.session();
    const written = list(args.map((argument) => session.write(argument)));
    const quoted = [JSON.stringify(file.path), String(dispatch.index), written, session.writeBlock(block)];
    return session.callFunction('invoke', caller, args, ...quoted);
  }

  private render({ file, name, text }: ErbSource, caller: RubyCaller): string {
    const session = this.session();
    if (this.templates.size > MAX_TEMPLATES) this.forgetTemplates(session, caller);
    const template = this.templates.template(file, text);
    const id = String(template.id);
    if (!session.templates.has(template.id)) {
      const path = file === '' ? 'null' : this.quoted(file);
      session.call('template', caller, id, path, JSON.stringify(text));
      session.templates.add(template.id);
    }
    const variables = session.writeVariables(templateVariables(caller.scope, template), caller);
    const args = [id, name === '' ? 'null' : JSON.stringify(name), variables];
    if (!template.mayChangeValues) return String(session.call('render', caller, ...args));
    const result = session.evaluate('renderAndTell', caller, ...args);
    const [rendered = '', changed = null] = isArray(result) ? result : [];
    if (changed instanceof PuppetHash)
      for (const [variable, value] of changed) caller.scope.replaceVariable(String(variable), value);
    return String(rendered);
  }

  private forgetTemplates(session: RubySession, caller: RubyCaller): void {
    session.call('forgetTemplates', caller);
    session.templates.clear();
    this.templates = new KnownTemplates();
  }

  /** The process that runs, or a new one in place of one that has ended. */
  private session(): RubySession {
    if (this.current !== undefined && !this.current.process.isAlive) this.close();
    if (this.current === undefined) {
      this.current = new RubySession(this.rubyOptions(), this);
      this.options.observe?.started(this.current.process.identity);
    }
    return this.current;
  }

  private rubyOptions(): RubyOptions {
    const { environment, commands, images, memoryBytes } = this.options;
    return {
      commands: commands ?? DEFAULT_COMMANDS,
      shim: shimDirectory(),
      libraries: [
        ...environment.libraries.map((directory) => physicalPath(directory, this.paths)),
        ...(this.options.libraries ?? []),
      ],
      ...this.gems(),
      elsewhere: this.elsewhere(),
      timeoutSeconds: this.timeoutSeconds,
      memoryBytes: memoryBytes ?? DEFAULT_MEMORY_BYTES,
      ...(images === undefined ? {} : { images }),
    };
  }

  /** Code in Ruby opens files by itself: those that are not at their paths. */
  private elsewhere(): Readonly<Record<string, string>> {
    const absent = (this.paths.others ?? []).filter(({ logicalDirectory }) => !existsSync(logicalDirectory));
    return Object.fromEntries(
      absent.map(({ logicalDirectory, physicalDirectory }) => [logicalDirectory, physicalDirectory]),
    );
  }

  /** They are staged beside environments, so that each version of the code has its own. */
  private gems(): Pick<RubyOptions, 'gems'> {
    const { codedir } = this.options.environment.config.settings.visible;
    return typeof codedir === 'string' ? { gems: physicalPath(joinPath(codedir, 'gems'), this.paths) } : {};
  }

  private measured<T>(served: 'function' | 'template' | 'resource type', work: () => T): T {
    const { observe } = this.options;
    if (observe?.measure === undefined) return work();
    return observe.measure(served, () => this.layer ?? this.current?.process.identity.layer, work);
  }

  private quoted(path: string): string {
    return JSON.stringify(physicalPath(path, this.paths));
  }

  private guarded<T>(what: string, run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw this.withLogicalPaths(faultFromRuby(error, what, this.timeoutSeconds));
    }
  }

  /** Messages name files as users know them. */
  private withLogicalPaths(error: unknown): unknown {
    if (!(error instanceof PuppetError)) return error;
    const { diagnostic } = error;
    const message = withLogicalPaths(diagnostic.message, this.paths);
    if (message === diagnostic.message) return error;
    return new PuppetError({ ...diagnostic, message }, { cause: error.cause });
  }
}

function list(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}
