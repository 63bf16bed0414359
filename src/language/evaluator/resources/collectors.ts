/** Collectors: virtual resources, exported ones, and fixed sets (`realize`). */

import {
  canonicalTypeName,
  failure,
  Resource,
  type ResourceParameter,
  type ResourceRecord,
} from '../../catalog/index.ts';
import { PuppetError } from '../../syntax/index.ts';
import type { ExactJson } from '../compile-request.ts';
import { fromJson } from '../json-values.ts';
import type { CompiledResource, Scope } from '../runtime/scope.ts';
import { asArgumentError } from './argument-error.ts';
import { Collector, type CollectorOverrides } from './collector-value.ts';
import { addToCatalog, fill, findResourceType, type TypeOfResource } from './declare.ts';
import { requireOncePerAttribute } from './override.ts';

export type ResourceTest = (resource: CompiledResource) => boolean;

export interface CollectorOptions {
  readonly scope: Scope;
  /** Lower case. */
  readonly typeName: string;
  readonly test: ResourceTest | undefined;
  readonly overrides: CollectorOverrides | undefined;
}

abstract class QueryCollector extends Collector {
  protected readonly scope: Scope;
  protected readonly type: string;
  protected readonly test: ResourceTest | undefined;
  private readonly overrides: CollectorOverrides | undefined;

  constructor({ scope, typeName, test, overrides }: CollectorOptions) {
    super();
    this.scope = scope;
    this.type = canonicalTypeName(typeName);
    this.test = test;
    this.overrides = overrides;
  }

  evaluate(): boolean {
    const found = this.collect();
    for (const resource of found) resource.isVirtual = false;
    if (this.overrides !== undefined && found.length > 0) this.override(found, this.overrides);
    const before = this.collected.size;
    for (const resource of found) this.collected.set(resource.reference, resource);
    return this.collected.size > before;
  }

  protected abstract collect(): readonly CompiledResource[];

  private override(found: readonly CompiledResource[], overrides: CollectorOverrides): void {
    const { compiler } = this.scope;
    compiler.overridingSources.add(overrides.source);
    const parameters = this.withDefaults(overrides.parameters);
    for (const resource of found) {
      const { type, title, reference } = resource;
      if (this.collected.has(reference)) continue;
      requireOncePerAttribute(reference, overrides);
      compiler.addOverride({ ...overrides, parameters, type, title, reference });
    }
  }

  /** Unlike other overrides, those of collectors bring the defaults that are in force where they stand. */
  private withDefaults(given: readonly ResourceParameter[]): readonly ResourceParameter[] {
    const defaults = this.scope.defaultsFor(this.type);
    if (defaults === undefined) return given;
    const names = new Set(given.map(({ name }) => name));
    return [...given, ...[...defaults.values()].filter(({ name }) => !names.has(name))];
  }
}

export class VirtualCollector extends QueryCollector {
  protected override readonly rubyClass = 'CatalogCollector';

  protected override collect(): readonly CompiledResource[] {
    const { type, test } = this;
    const candidates = this.scope.compiler.resourcesOfType(type);
    return test === undefined ? candidates : candidates.filter(test);
  }

  override toString(): string {
    return `Catalog-Collector[${this.type}]`;
  }
}

/**
 * What exported resources of other nodes have to be like, in PuppetDB's AST; `null` for all. It is made when it is
 * needed: some comparisons that own resources can be asked for are none that a store understands.
 */
export type ExportedFilter = () => ExactJson;

export class ExportedCollector extends QueryCollector {
  protected override readonly rubyClass = 'ExportedCollector';
  private readonly filter: ExportedFilter | undefined;
  private hasAsked = false;

  constructor(options: CollectorOptions, filter: ExportedFilter | undefined) {
    super(options);
    this.filter = filter;
  }

  /** Without a store nothing is collected, not even what this node exports. */
  override evaluate(): boolean {
    return this.scope.compiler.request.termini.exportedResources !== undefined && super.evaluate();
  }

  protected override collect(): readonly CompiledResource[] {
    const { type, test } = this;
    const { compiler } = this.scope;
    const found = compiler
      .resourcesOfType(type)
      .filter((resource) => resource.isExported && (test === undefined || test(resource)));
    for (const record of this.stored()) {
      const imported = this.take(record);
      if (imported !== undefined) found.push(imported);
    }
    return found;
  }

  override toString(): string {
    return `Exported-Collector[${this.type}]`;
  }

  /** Asked once: what comes later in the same compile belongs to the next run. */
  private stored(): readonly ResourceRecord[] {
    if (this.hasAsked) return [];
    const { certname, termini } = this.scope.compiler.request;
    const query: ExactJson[] = [
      'and',
      ['=', 'type', this.type],
      ['=', 'exported', true],
      ['not', ['=', 'certname', certname]],
    ];
    const filter = this.filter?.() ?? null;
    if (filter !== null) query.push(filter);
    const found = termini.exportedResources?.(query) ?? [];
    this.hasAsked = true;
    return found;
  }

  /** Brings another node's resource into the catalog; `undefined` when it is there already. */
  private take(record: ResourceRecord): CompiledResource | undefined {
    const { compiler } = this.scope;
    const collectorId = `${record.certname}|${record.type}|${record.title}`;
    const existing = compiler.catalog.find(record.type, record.title);
    if (existing === undefined) {
      const resource = this.make(record, collectorId);
      namingArgumentErrors(() => addToCatalog(this.scope, resource));
      return resource;
    }
    if (existing.collectorId === collectorId) return undefined;
    throw failure(
      `A duplicate resource was found while collecting exported resources, with the type and title ${record.type}[${record.title}]`,
    );
  }

  private make(record: ResourceRecord, collectorId: string): CompiledResource {
    const { scope } = this;
    const type = findResourceType(scope.compiler, record.type.toLowerCase());
    const resource: CompiledResource = new Resource({
      type: record.type,
      title: record.title,
      kind: KINDS[type?.kind ?? 'unknown'],
      typeInfo: type?.kind === 'native' ? type.info : undefined,
      scope,
      source: scope.source,
    });
    if (type?.kind === 'define') scope.compiler.attachBody(resource, type.body);
    const parameters = Object.entries(record.parameters);
    fill(
      resource,
      // They were set on another node: only collectors may change them.
      parameters.map(([name, value]) => ({ name, value: fromJson(value), source: undefined })),
    );
    resource.collectorId = collectorId;
    return resource;
  }
}

const KINDS: Readonly<Record<TypeOfResource['kind'] | 'unknown', CompiledResource['kind']>> = {
  native: 'compilable_type',
  define: 'defined_type',
  class: 'unknown',
  unknown: 'unknown',
};

/** What `realize()` was told, until all of it has been found. */
export class FixedSetCollector extends Collector {
  protected override readonly rubyClass = 'FixedSetCollector';
  private readonly scope: Scope;
  private missing: readonly string[];

  constructor(scope: Scope, references: readonly string[]) {
    super();
    this.scope = scope;
    this.missing = references;
  }

  evaluate(): boolean {
    const { compiler } = this.scope;
    const before = this.collected.size;
    this.missing = this.missing.filter((reference) => {
      const resource = this.find(reference);
      if (resource === undefined) return true;
      resource.isVirtual = false;
      this.collected.set(resource.reference, resource);
      return false;
    });
    if (this.missing.length === 0) compiler.collectors.delete(this);
    return this.collected.size > before;
  }

  override unresolved(): readonly string[] {
    return this.missing;
  }

  private find(reference: string): CompiledResource | undefined {
    return namingArgumentErrors(() => this.scope.compiler.catalog.findReference(reference));
  }

  override toString(): string {
    return 'Fixed-Set-Collector';
  }
}

/** While it collects, the reference names the class of errors that are not of its own kind. */
function namingArgumentErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    throw asArgumentError(error);
  }
}
