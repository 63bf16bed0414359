/** Templates in ERB: rendered by the interpreter where it knows all that they do, else by Ruby. */

import { failure } from '../../catalog/index.ts';
import { type ErbContext, type ErbTemplates, giveUp, type Rendering } from '../../erb/index.ts';
import { builtinFunctions, type ErbSource, legacyArgument } from '../../functions/index.ts';
import { ByteString, fault, isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import type { RubyCaller } from '../ruby-host.ts';
import type { CallSite } from './call-site.ts';
import { CallFromSite } from './ruby-caller.ts';

/** @throws PuppetError in Ruby's words for what is wrong with the template, or when it needs Ruby and there is none */
export function evaluateErb(source: ErbSource, site: CallSite): string {
  const { erb, ruby } = site.frame.scope.compiler.request.termini;
  const caller = new CallFromSite(site);
  const rendering = erb?.render(
    source.text,
    new TemplatePlace(source, caller, { templates: erb, hasFallback: ruby !== undefined }),
  );
  if (rendering?.kind === 'rendered') return rendering.text;
  // What a template has done must not be done twice.
  const isOpen = rendering === undefined || !rendering.hadEffects;
  if (ruby !== undefined && isOpen) return ruby.evaluateErb(source, caller);
  throw failure(messageFor(source, rendering));
}

function messageFor({ file, name }: ErbSource, rendering: Rendering | undefined): string {
  if (rendering?.kind === 'failed') {
    const { line, message } = rendering;
    if (name === '') return `Failed to parse inline template: ${message}`;
    return `Failed to parse template ${name}:\n  Filepath: ${file}\n  Line: ${line}\n  Detail: ${message}\n`;
  }
  const what = name === '' ? 'An inline template' : `The template ${file}`;
  if (rendering?.kind !== 'given-up') return `${what} is written in Ruby (ERB), and Ruby is not available`;
  return `${what} needs Ruby, which is not available: it uses ${rendering.reason}`;
}

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

interface Host {
  readonly templates: ErbTemplates;
  readonly hasFallback: boolean;
}

class TemplatePlace implements ErbContext {
  readonly file: string | undefined;
  private readonly caller: RubyCaller;
  private readonly templates: ErbTemplates;
  private renamedVariables: ReadonlyMap<string, Value> | undefined;

  readonly hasFallback: boolean;

  constructor({ file, name }: ErbSource, caller: RubyCaller, host: Host) {
    this.file = name === '' ? undefined : file;
    this.caller = caller;
    this.templates = host.templates;
    this.hasFallback = host.hasFallback;
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
    const { disableWarnings, strict } = context.environment.config.settings;
    if (found.reason === undefined || strict === 'off') return null;
    const name = written.replace(/^::/, '');
    const text = `Undefined variable '${name}'; ${found.reason}`;
    if (strict === 'error') throw fault(text);
    if (!disableWarnings.includes('undefined_variables')) context.warnOnce(`Variable: ${name}`, text);
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
    const { context } = this.caller;
    const isBuiltin = builtinFunctions.has(name);
    if (!isBuiltin && context.environment.rubyFunctionFile(name)?.api !== '3.x')
      giveUp(`function_${name}, which is no function of the older kind`);
    // From Ruby to Ruby undef is handed on as it is.
    if (args.some(hasUndef)) giveUp(`function_${name} with nil`);
    return context.callFunction(name, args.map(legacyArgument));
  }

  isRepeatable(functionName: string): boolean {
    return REPEATABLE.has(functionName) && builtinFunctions.has(functionName);
  }

  private known(value: Value | undefined): Value | undefined {
    if (value instanceof ByteString) return value.isAscii ? value.text : giveUp('a variable of bytes');
    return this.templates.isHeld(value) ? giveUp('a variable that Ruby has set') : value;
  }
}

function hasUndef(value: Value): boolean {
  if (value === null) return true;
  if (isArray(value)) return value.some(hasUndef);
  if (!(value instanceof PuppetHash)) return false;
  for (const [key, item] of value) if (hasUndef(key) || hasUndef(item)) return true;
  return false;
}
