/** The place of a call, for Ruby code that is interpreted. */

import type { AttachmentKey, Environment, RubyFunctionFile } from '../../environment/index.ts';
import { builtinFunctions, legacyArgument } from '../../functions/index.ts';
import { ByteString, fault, type Value } from '../../pcore/index.ts';
import {
  creationBy,
  type ErbContext,
  giveUp,
  handedOver,
  type PuppetAccess,
  type RevocableCall,
  UNUSABLE,
  withResources,
} from '../../ruby/index.ts';
import type { RubyCaller, RubyHost } from '../ruby-host.ts';
import { PuppetView } from './puppet-view.ts';
import { RESERVED } from './reserved-variables.ts';

/** Functions of the language that do nothing but answer. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'defined',
  'fqdn_rand',
  'join',
  'lookup',
  'md5',
  'regsubst',
  'sha1',
  'sha256',
  'split',
  'sprintf',
  'unwrap',
  'versioncmp',
]);

/** Statements: their results are not used, so they may be called a little later. */
const STATEMENTS: ReadonlySet<string> = new Set([
  'contain',
  'create_resources',
  'debug',
  'err',
  'include',
  'info',
  'notice',
  'realize',
  'require',
  'tag',
  'warning',
]);

/** Functions of the older kind, which are given resources as references. */
const TAKING_RESOURCES: ReadonlySet<string> = new Set(['create_resources', 'realize', 'require']);
const MESSAGES: ReadonlySet<string> = new Set(['debug', 'err', 'info', 'notice', 'warning']);
const TEMPLATES: ReadonlySet<string> = new Set(['inline_template', 'template']);

export class InterpretedPlace implements ErbContext {
  readonly file: string | undefined;
  readonly hasFallback: boolean;
  private readonly caller: RubyCaller;
  private readonly ruby: RubyHost | undefined;
  private renamedVariables: ReadonlyMap<string, Value> | undefined;

  /**
   * @param ruby - who runs what is given up
   * @param file - of a template
   */
  constructor(caller: RubyCaller, ruby: RubyHost | undefined, file?: string) {
    this.caller = caller;
    this.ruby = ruby;
    this.file = file;
    this.hasFallback = ruby !== undefined;
  }

  instanceVariable(name: string): Value | undefined {
    const { scope } = this.caller;
    const found = this.known(scope.variable(name).value);
    if (found !== undefined || !name.includes('_')) return found;
    return this.known(this.renamed().get(name));
  }

  /** Names of facts may have other characters: `mtu_eth0:1` is `@mtu_eth0_1`. */
  private renamed(): ReadonlyMap<string, Value> {
    if (this.renamedVariables !== undefined) return this.renamedVariables;
    const renamed = new Map<string, Value>();
    for (const [name, value] of this.caller.scope.variables())
      if (/\W/.test(name)) renamed.set(name.replace(/\W/g, '_'), value);
    this.renamedVariables = renamed;
    return renamed;
  }

  lookupVariable(written: string): Value {
    const { context, scope } = this.caller;
    const found = scope.variable(written);
    if (found.value !== undefined) return this.known(found.value) ?? null;
    const { strict } = context.environment.config.settings;
    if (found.reason === undefined || strict === 'off') return null;
    const bare = written.replace(/^::/, '');
    const name = written.includes('::') && found.reason === '' ? `::${bare}` : bare;
    const text = `Undefined variable '${name}'; ${found.reason}`;
    if (strict === 'error') throw fault(text);
    const message = `${text}\n   (file & line not available)`;
    context.warnOnce(`Variable: ${name}`, message, 'unique', 'undefined_variables');
    return null;
  }

  hasVariable(name: string): boolean {
    return (this.caller.scope.variable(name).value ?? null) !== null;
  }

  variables(): Iterable<readonly [string, Value]> {
    const known = new Map<string, Value>();
    for (const [name, value] of this.caller.scope.variables()) {
      if (value === null) known.delete(name);
      else known.set(name, this.known(value) ?? null);
    }
    return known;
  }

  setVariable(name: string, value: Value, original: Value): () => void {
    const { caller } = this;
    if (caller.scope.kind === 'top' || caller.scope.isLocal(name) || RESERVED.has(name))
      return giveUp('a variable that cannot be set');
    return () => {
      caller.scope.setVariable(name, value);
      caller.noteOriginal(value, original);
    };
  }

  replaceValues(changes: ReadonlyMap<Value, Value>, sawElsewhere: boolean): () => void {
    return this.caller.replacing(changes, sawElsewhere) ?? giveUp('a change of a value that several hold');
  }

  get puppet(): PuppetAccess {
    return new PuppetView(this.caller, this.ruby);
  }

  get classes(): readonly string[] {
    return this.caller.catalog.classes;
  }

  get tags(): Iterable<string> {
    return this.caller.catalog.tags;
  }

  isFunctionKnown(name: string): boolean {
    return this.caller.context.isFunctionKnown(name);
  }

  callFunction(name: string, args: readonly Value[]): Value {
    return this.caller.context.callFunction(name, args);
  }

  callLegacyFunction(name: string, args: readonly Value[]): Value {
    this.assertLegacy(name, args);
    return this.caller.context.callFunction(name, args.map(legacyArgument));
  }

  callRevocably({ args, effects, isLegacy, name }: RevocableCall): Value {
    const { user } = this.caller;
    const { environment } = this.caller.context;
    if (STATEMENTS.has(name) && builtinFunctions.has(name)) {
      if (isLegacy) this.assertLegacy(name, args);
      const given = handedOver(args, TAKING_RESOURCES.has(name));
      const kind = MESSAGES.has(name) ? 'message' : 'change';
      effects.defer(
        kind,
        () => (isLegacy ? this.callLegacyFunction(name, given) : this.callFunction(name, given)),
        name === 'create_resources' ? creationBy(given) : undefined,
      );
      return UNUSABLE;
    }
    if (TEMPLATES.has(name) && builtinFunctions.has(name))
      return this.caller.renderWithin(name, handedOver(args), effects);
    const file = isLegacy ? legacyFile(name, environment) : environment.rubyFunctionFile(name, user);
    const isRubys =
      isLegacy || (!builtinFunctions.has(name) && environment.findFunction(name, user) === undefined);
    if (file === undefined || this.ruby?.interpretFunction === undefined || !isRubys)
      return giveUp(`a call of ${name}, after which there is no way back`);
    // From Ruby to Ruby undef is handed on as it is.
    const given =
      file.api === '3.x' && !isLegacy ? handedOver(args).map((value) => this.asLegacy(value)) : args;
    const call = { name, file, args: given, block: undefined };
    return this.ruby.interpretFunction(call, this.caller.within(file), effects);
  }

  /** As functions of the older kind get it. */
  private asLegacy(value: Value): Value {
    return withResources(legacyArgument(value), (type, title) => this.caller.catalog.titleNames(type, title));
  }

  private assertLegacy(name: string, args: readonly Value[]): void {
    const isKnown =
      builtinFunctions.has(name) || this.caller.context.environment.rubyFunctionFile(name)?.api === '3.x';
    if (!isKnown) giveUp(`function_${name}, which is no function of the older kind`);
    // From Ruby to Ruby undef is handed on as it is; the language does so with what is within lists and hashes only.
    if (args.includes(null)) giveUp(`function_${name} with nil`);
  }

  isRepeatable(functionName: string): boolean {
    return REPEATABLE.has(functionName) && builtinFunctions.has(functionName);
  }

  private known(value: Value | undefined): Value | undefined {
    if (value instanceof ByteString) return value.isAscii ? value.text : giveUp('a variable of bytes');
    return this.caller.isHeld(value) ? giveUp('a variable that Ruby has set') : value;
  }
}

/** Each is looked for once in a version of an environment. */
const legacyFilesOf: AttachmentKey<Map<string, RubyFunctionFile>> = { create: () => new Map() };
const NO_FILE: RubyFunctionFile = { api: '3.x', path: '', module: undefined };

/** From Ruby to Ruby, functions of the older kind are found even where one of the newer kind has the name. */
function legacyFile(name: string, environment: Environment): RubyFunctionFile | undefined {
  const known = environment.attached(legacyFilesOf);
  let file = known.get(name);
  if (file === undefined) {
    const path = environment.legacyFunctionFile(name);
    file = path === undefined ? NO_FILE : { api: '3.x', path, module: undefined };
    known.set(name, file);
  }
  return file === NO_FILE ? undefined : file;
}
