/** A call into Ruby, as Ruby sees the place that it comes from. */

import { canonicalTypeName, failure, parseTitle } from '../../catalog/index.ts';
import type { Module, RubyFunctionFile } from '../../environment/index.ts';
import type { CallContext } from '../../functions/index.ts';
import type { TypeResolver, Value } from '../../pcore/index.ts';
import { type Effects, giveUp } from '../../ruby/index.ts';
import type { Position } from '../../syntax/index.ts';
import type { Compiler } from '../compiler.ts';
import type { RubyCaller, RubyCatalog, RubyResource, RubyScope } from '../ruby-host.ts';
import type { Frame } from '../runtime/frame.ts';
import type { CompiledResource } from '../runtime/scope.ts';
import { userIn } from './call-function.ts';
import { type CallSite, callPosition } from './call-site.ts';
import { isFrozen, refuseFrozenString } from './frozen-values.ts';
import { FunctionContext } from './function-context.ts';
import { changesBetween, replaceValue } from './replaced-values.ts';
import { RESERVED } from './reserved-variables.ts';
import { findVariable, framesFrom, whyMissing } from './scope-view.ts';
import { replaceVariable, replacing } from './value-holders.ts';

export class CallFromSite implements RubyCaller {
  readonly context: CallContext;
  readonly scope: RubyScope;
  readonly catalog: RubyCatalog;
  private readonly site: CallSite;
  readonly user: Module | undefined;
  readonly isForKey: boolean;

  /** @param user - see `RubyCaller`, as for `isForKey` */
  constructor(site: CallSite, user?: Module, isForKey = false) {
    this.site = site;
    this.user = user;
    this.isForKey = isForKey;
    this.context = new FunctionContext(site, user);
    this.scope = new FrameScope(site.frame);
    this.catalog = new CompilerCatalog(site.frame.scope.compiler);
  }

  get top(): RubyCaller {
    const { topScope } = this.site.frame.scope.compiler;
    if (this.site.frame === topScope.frame) return this;
    return new CallFromSite({ ...this.site, frame: topScope.frame }, this.user);
  }

  within(file: RubyFunctionFile): RubyCaller {
    const user = userIn(file);
    return user === this.user && !this.isForKey ? this : new CallFromSite(this.site, user);
  }

  isFrozen(value: Value): boolean {
    return isFrozen(this.site.frame.scope.compiler, value);
  }

  get compile(): object {
    return this.site.frame.scope.compiler;
  }

  get types(): TypeResolver {
    return this.site.frame.scope.compiler.lookups.typeResolver;
  }

  isHeld(value: Value | undefined): boolean {
    return this.site.frame.scope.compiler.request.termini.erb?.isHeld(value) === true;
  }

  originalOf(value: Value): Value | undefined {
    return this.site.frame.scope.compiler.request.termini.erb?.originalOf(value);
  }

  noteOriginal(value: Value, original: Value): void {
    this.site.frame.scope.compiler.request.termini.erb?.noteHeld(value, original);
  }

  renderWithin(name: string, args: readonly Value[], effects: Effects): Value {
    const { erb } = this.site.frame.scope.compiler.request.termini;
    if (erb === undefined) return giveUp('a template');
    return erb.within(effects, () => this.context.callFunction(name, args));
  }

  *callers(): Iterable<Position> {
    const { callers } = this.site.frame.scope.compiler;
    for (const caller of callers.toReversed()) yield 'node' in caller ? callPosition(caller) : caller;
  }

  replaceValue(old: Value, now: Value): void {
    replaceValue(this.site.frame.scope.compiler, this.site.frame, old, now);
  }

  replacing(changes: ReadonlyMap<Value, Value>, sawElsewhere: boolean): (() => void) | undefined {
    return replacing(this.site.frame, changes, sawElsewhere);
  }

  replaceArgument(index: number, now: Value): void {
    const { node } = this.site;
    const args = node.kind === 'CallMethodExpression' ? [node.functorExpr.left, ...node.args] : node.args;
    // After a splat the positions are unknown.
    if (args.slice(0, index + 1).some(({ kind }) => kind === 'UnfoldExpression')) return;
    const argument = args[index];
    if (argument?.kind === 'VariableExpression' && argument.expr.kind === 'QualifiedName')
      this.scope.replaceVariable(argument.expr.value.replace(/^::/, ''), now);
  }
}

class FrameScope implements RubyScope {
  private readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  get kind(): RubyScope['kind'] {
    return this.frame.scope.kind;
  }

  get resource(): RubyResource | undefined {
    const { resource } = this.frame.scope;
    return resource === undefined ? undefined : rubyResource(resource);
  }

  get sourceName(): string {
    return this.frame.scope.source.name;
  }

  get sourceModule(): string | undefined {
    return this.frame.scope.source.moduleName;
  }

  variable(name: string): ReturnType<RubyScope['variable']> {
    const value = findVariable(this.frame, name);
    return value === undefined ? { value, reason: this.whyMissing(name) } : { value };
  }

  *variables(): Iterable<readonly [string, Value]> {
    for (const frame of [...framesFrom(this.frame)].reverse()) {
      for (const name of frame.localNames()) yield [name, frame.getLocal(name) ?? null];
    }
  }

  isLocal(name: string): boolean {
    return this.frame.hasLocal(name);
  }

  setVariable(name: string, value: Value): void {
    if (/^\d+$/.test(name)) throw failure(`Cannot assign to a numeric match result variable '$${name}'`);
    if (RESERVED.has(name)) throw failure(`Attempt to assign to a reserved variable name: '${name}'`);
    if (this.frame.hasLocal(name)) throw failure(`Cannot reassign variable '$${name}'`);
    this.frame.setLocal(name, value);
    this.frame.scope.compiler.request.termini.erb?.noteHeld(value);
  }

  replaceVariable(name: string, value: Value): void {
    for (const frame of framesFrom(this.frame)) {
      const old = frame.getLocal(name);
      if (old === undefined) continue;
      refuseFrozenString(frame, name, old);
      const replace =
        typeof old === 'object' ? replacing(this.frame, changesBetween(old, value), false) : undefined;
      if (replace === undefined) replaceVariable(frame, name, value);
      else replace();
      return;
    }
  }

  *defaults(type: string): Iterable<readonly [string, Value]> {
    const found = this.frame.scope.defaultsFor(canonicalTypeName(type)) ?? [];
    for (const [name, parameter] of found) yield [name, parameter.value];
  }

  private whyMissing(written: string): string | undefined {
    const name = written.replace(/^::/, '');
    if (SILENT.has(name) || /^\d+$/.test(name)) return undefined;
    return whyMissing(this.frame.scope.compiler, name);
  }
}

/** Names that are known, whether they have a value or not. */
const SILENT: ReadonlySet<string> = new Set(['module_name', 'caller_module_name']);

class CompilerCatalog implements RubyCatalog {
  private readonly compiler: Compiler;

  constructor(compiler: Compiler) {
    this.compiler = compiler;
  }

  get classes(): readonly string[] {
    return this.compiler.catalog.classes;
  }

  get tags(): Iterable<string> {
    return this.compiler.catalog.tags;
  }

  get codeId(): string | null {
    return this.compiler.catalog.codeId;
  }

  find(type: string, title: string): RubyResource | undefined {
    const resource = this.compiler.catalog.find(type, title);
    return resource === undefined ? undefined : rubyResource(resource);
  }

  *resources(): Iterable<RubyResource> {
    for (const resource of this.compiler.catalog.resources) yield rubyResource(resource);
  }

  titleNames(type: string, title: string): Iterable<readonly [string, Value]> {
    const key = type.toLowerCase();
    return parseTitle(key.includes(':') ? undefined : this.compiler.findNativeType(key), title);
  }

  isDefineKnown(name: string): boolean {
    return this.compiler.environment.findDefinedType(name) !== undefined;
  }
}

/** Few ask for the parameters: they are listed for those. */
function rubyResource(resource: CompiledResource): RubyResource {
  const { type, title, file, line, isVirtual, isExported, tags } = resource;
  return {
    type,
    title,
    file,
    line,
    isVirtual,
    isExported,
    tags,
    get parameters() {
      return Array.from(resource.parameters.values(), ({ name, value }) => [name, value] as const);
    },
  };
}
