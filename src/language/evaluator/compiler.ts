/** The state of one compile: the catalog, the scopes, what is still to be collected or overridden. */

import {
  type Catalog,
  canonicalTitle,
  exhausted,
  failure,
  failureAt,
  Resource,
  type ResourceSource,
  type ResourceTypeInfo,
} from '../catalog/index.ts';
import type { DisableableWarning, Environment, LanguageSettings } from '../environment/index.ts';
import type { LogLevel } from '../functions/index.ts';
import { plainText, type Value } from '../pcore/index.ts';
import type { Position } from '../syntax/index.ts';
import { callFromNowhere } from './calls/call-from-nowhere.ts';
import type { CallSite } from './calls/call-site.ts';
import { CallFromSite } from './calls/ruby-caller.ts';
import type { CompileRequest } from './compile-request.ts';
import { type Code, codeOf } from './definitions/code.ts';
import { CodeSource } from './definitions/code-source.ts';
import type { LoweredBody } from './definitions/lowered-body.ts';
import { nativeTypesOf, type ReadInRuby } from './definitions/native-types.ts';
import { stackTooDeep } from './evaluation-error.ts';
import { logFindings } from './log-findings.ts';
import { Lookups } from './lookups.ts';
import type { Collector } from './resources/collector-value.ts';
import { addToCatalog, fill } from './resources/declare.ts';
import { evaluateResource } from './resources/evaluate-body.ts';
import { mergeOverride, type Override } from './resources/override.ts';
import type { Relationship } from './resources/relationship.ts';
import type { MatchGroups } from './runtime/frame.ts';
import { type CompiledResource, EMPTY_LAYOUT, Scope } from './runtime/scope.ts';
import { type SingleWarningKind, SingleWarnings } from './single-warnings.ts';

/** Deeper than any sane code, well before the stack of JavaScript ends. */
const DEEPEST = 400;
/** The memory is looked at once in so many calls, which is less than a microsecond for each. */
const MEMORY_CHECK_MASK = 0x3ff;

export class Compiler {
  readonly request: CompileRequest;
  readonly environment: Environment;
  readonly settings: LanguageSettings;
  readonly code: Code;
  readonly catalog: Catalog<Scope>;
  readonly topScope: Scope;
  readonly classScopes = new Map<string, Scope>();
  /** All but `Stage[main]` and `Class[Settings]`, in the order of declaration. */
  readonly resources: CompiledResource[] = [];
  /** Defined types and classes that may have to be evaluated, in the order of declaration. */
  private unevaluated: CompiledResource[] = [];
  private readonly resourcesByType = new Map<string, CompiledResource[]>();
  readonly collectors = new Set<Collector>();
  readonly relationships: Relationship[] = [];
  readonly overrides = new Map<string, Override[]>();
  /**
   * Metaparameters that modules add to everything. The reference knows them from when it has loaded the type whose file
   * says so, in whichever compile; here from when this compile has met that type, so that the same code always gives the same.
   */
  readonly addedMetaparameters = new Set<string>();
  /** Sources whose collectors override: they may override anything from then on. */
  readonly overridingSources = new Set<ResourceSource>();
  readonly lookups: Lookups;
  /** Calls that have not ended, and the main manifest while it is evaluated; outer ones first. */
  readonly callers: (CallSite | Position)[] = [];
  /** The calls that have brought classes into the catalog: `include` and its like. */
  readonly classCalls = new WeakMap<CompiledResource, CallSite | Position>();
  /** What the expression of the node definition captured. */
  nodeMatch: MatchGroups | undefined;
  nodeScope: Scope | undefined;
  private readonly bodies = new Map<CompiledResource, LoweredBody>();
  private readonly singleWarnings: SingleWarnings;
  private readonly readTypeInRuby: ReadInRuby = (type, file) =>
    this.request.termini.ruby?.findResourceType(type, file, new CallFromSite(callFromNowhere(this)));
  private depth = 0;
  private calls = 0;

  constructor(request: CompileRequest, catalog: Catalog<Scope>) {
    this.request = request;
    this.singleWarnings = request.singleWarnings ?? new SingleWarnings();
    this.environment = request.environment;
    this.settings = request.environment.config.settings;
    this.code = request.environment.attached(codeOf);
    this.catalog = catalog;
    const source = new CodeSource('class', '', '', undefined);
    this.topScope = new Scope({
      kind: 'top',
      compiler: this,
      parent: undefined,
      source,
      layout: EMPTY_LAYOUT,
    });
    this.lookups = new Lookups(this);
  }

  // --- messages

  /** @param position - what the message is about, where it does not say so itself */
  log(level: LogLevel, message: string, position?: Position): void {
    this.logFindings();
    this.request.log(level, message, position);
  }

  /** What reading files has brought up since the last message: it belongs before the next one. */
  logFindings(): void {
    logFindings(this.request);
  }

  /** @param type - what disables it; a deprecation of Ruby code when absent and `kind` says so */
  warnOnce(
    key: string,
    message: string,
    kind: SingleWarningKind = 'unique',
    type?: DisableableWarning,
  ): void {
    const disabledBy = type ?? (kind === 'deprecation' ? 'deprecations' : undefined);
    const { disableWarnings } = this.environment.config.settings;
    if (disabledBy !== undefined && disableWarnings.includes(disabledBy)) return;
    if (this.singleWarnings.take(key, kind)) this.log('warning', message);
  }

  /** Counts how deep calls are nested. @throws PuppetError when they do not end, or have used up the memory */
  enter(): void {
    this.depth += 1;
    if (this.depth > DEEPEST) throw stackTooDeep();
    this.calls += 1;
    if ((this.calls & MEMORY_CHECK_MASK) === 0 && this.request.isOutOfMemory?.() === true)
      throw exhausted('memory');
  }

  leave(): void {
    this.depth -= 1;
  }

  // --- names

  findNativeType(name: string): ResourceTypeInfo | undefined {
    const info = this.environment.attached(nativeTypesOf).find(name, this.readTypeInRuby);
    for (const added of info?.metaparameters ?? []) this.addedMetaparameters.add(added);
    return info;
  }

  /** `$class::leaf`; `undefined` when the class has not been evaluated or has no such variable. */
  findClassVariable(className: string, leaf: string): Value | undefined {
    let scope = this.classScopes.get(className.toLowerCase());
    while (scope !== undefined) {
      const value = scope.frame.getLocal(leaf);
      if (value !== undefined) return value;
      scope = scope.inherited;
    }
    return undefined;
  }

  isChildOf(source: ResourceSource | undefined, ancestor: ResourceSource | undefined): boolean {
    if (source === undefined) return false;
    if (this.overridingSources.has(source)) return true;
    if (!(source instanceof CodeSource) || source.parentName === undefined) return false;
    const parent = this.code.findClass(source.parentName)?.source;
    return parent !== undefined && (parent === ancestor || this.isChildOf(parent, ancestor));
  }

  /** The class that a class inherits from. @throws PuppetError when there is no such class */
  parentOf(body: LoweredBody): LoweredBody | undefined {
    const { parentName } = body.source;
    if (parentName === undefined) return undefined;
    const parent = this.code.findClass(parentName);
    if (parent !== undefined) return parent;
    const { definition } = this.environment.findClass(body.name) ?? {};
    throw failureAt(
      `Could not find parent resource type '::${parentName}' of type hostclass in ${this.environment.name}`,
      body.unit.source.file,
      definition === undefined ? undefined : body.unit.lineOf(definition.offset),
    );
  }

  // --- classes

  attachBody(resource: CompiledResource, body: LoweredBody): void {
    this.bodies.set(resource, body);
  }

  bodyOf(resource: CompiledResource): LoweredBody | undefined {
    return this.bodies.get(resource);
  }

  /** Declares classes by name and, unless lazily, evaluates those that have not been. */
  evaluateClasses(
    names: readonly string[],
    scope: Scope,
    options: { readonly isLazy: boolean },
  ): readonly CompiledResource[] {
    const bodies = names.map((name) => this.requireClass(name));
    const included: CompiledResource[] = [];
    const fresh: CompiledResource[] = [];
    for (const body of bodies) {
      const evaluated = this.classScopes.get(body.name)?.resource;
      if (evaluated !== undefined) included.push(evaluated);
      else fresh.push(this.ensureInCatalog(body, scope, undefined));
    }
    if (!options.isLazy) for (const resource of fresh) evaluateResource(resource);
    return [...included, ...fresh];
  }

  requireClass(name: string): LoweredBody {
    const body = this.code.findClass(name);
    if (body === undefined) throw failure(`Could not find class ${name} for ${this.request.certname}`);
    // The reference checks a definition when it loads it, so the error names the class and not a resource.
    body.prepare(this.topScope.frame);
    return body;
  }

  /** The resource of a class or node, made when there is none yet. With parameters it must be new. */
  ensureInCatalog(
    body: LoweredBody,
    scope: Scope,
    parameters: readonly (readonly [string, Value])[] | undefined,
  ): CompiledResource {
    const type = body.source.kind === 'node' ? 'Node' : 'Class';
    if (parameters === undefined) {
      const known = this.catalog.find(type, body.name);
      if (known !== undefined) return known;
    }
    const resource: CompiledResource = new Resource({
      type,
      title: canonicalTitle(type, body.name),
      kind: 'unknown',
      scope,
      source: body.source,
    });
    fill(
      resource,
      (parameters ?? []).map(([name, value]) => ({ name, value, source: body.source })),
    );
    this.attachBody(resource, body);
    const call = this.callers.at(-1);
    if (call !== undefined) this.classCalls.set(resource, call);
    this.prepareClassOrNode(resource, body, scope);
    addToCatalog(scope, resource);
    return resource;
  }

  /** The inherited class comes into the catalog first; the catalog gets the tags. */
  prepareClassOrNode(resource: CompiledResource, body: LoweredBody, scope: Scope): void {
    const { parentName } = body.source;
    if (parentName !== undefined && this.catalog.find(resource.type, parentName) === undefined) {
      const parent = this.parentOf(body);
      if (parent !== undefined) this.ensureInCatalog(parent, scope, undefined);
    }
    this.catalog.tags.addAll(resource.tags);
  }

  /** Puts a class into its run stage: its own, that of the class that declared it, or `main`. */
  addToStage(resource: CompiledResource): void {
    const own = resource.value('stage');
    const name = own ?? resource.scope.resource?.value('stage') ?? 'main';
    const stage = this.catalog.find('Stage', plainText(name));
    if (stage === undefined) {
      throw failure(`Could not find stage ${plainText(own ?? 'main')} specified by ${resource.reference}`);
    }
    if (own === undefined && stage.title !== 'main') {
      resource.setParameter({ name: 'stage', value: stage.title, source: resource.source });
    }
    this.catalog.graph.addEdge(stage, resource);
  }

  /** Resources have the tags of their container. */
  mergeScopeTags(resource: CompiledResource): void {
    const declarer = resource.scope.resource;
    if (declarer !== undefined && declarer !== resource) resource.tags.addAll(declarer.tags);
  }

  // --- resources

  addResource(resource: CompiledResource): void {
    this.resources.push(resource);
    if (resource.typeInfo === undefined && resource.kind !== 'compilable_type')
      this.unevaluated.push(resource);
    const known = this.resourcesByType.get(resource.type);
    if (known === undefined) this.resourcesByType.set(resource.type, [resource]);
    else known.push(resource);
  }

  /** Defined types, and classes that were declared lazily, which wait to be evaluated. Virtual ones are left alone. */
  waiting(): readonly CompiledResource[] {
    this.unevaluated = this.unevaluated.filter(({ isEvaluated }) => !isEvaluated);
    return this.unevaluated.filter(({ isVirtual }) => !isVirtual);
  }

  /** Those of `resources` that are of a type, for collectors: they ask again in each round. */
  resourcesOfType(type: string): readonly CompiledResource[] {
    return this.resourcesByType.get(type) ?? [];
  }

  // --- overrides

  addOverride(override: Override): void {
    const resource = this.catalog.find(override.type, override.title);
    if (resource !== undefined) {
      mergeOverride(resource, override);
      return;
    }
    const waiting = this.overrides.get(override.reference);
    if (waiting === undefined) this.overrides.set(override.reference, [override]);
    else waiting.push(override);
  }

  // --- data

  lookupClassParameter(className: string, parameter: string, scope: Scope): Value | undefined {
    return this.lookups.classParameter(className, parameter, scope);
  }
}
