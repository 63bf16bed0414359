/** The catalog: resources by reference and alias, containment, classes, tags. */

import { inspect, isText, plainText, type Value } from '../pcore/index.ts';
import { renderPosition } from '../syntax/index.ts';
import { ContainmentGraph } from './containment-graph.ts';
import { failure } from './failure.ts';
import { canonicalTitle, canonicalTypeName, splitReference } from './reference.ts';
import type { Resource } from './resource.ts';
import { namevarOf, type ResourceTypeInfo } from './resource-type.ts';
import { TagSet } from './tag-set.ts';
import { isNamedOnce } from './title-attributes.ts';
import { isTitleTheKey, parseTitle } from './title-pattern.ts';

export interface CatalogOptions {
  /** The certname. */
  readonly name: string;
  readonly environment: string;
  readonly version: string | number;
  readonly codeId: string | null;
  readonly catalogUuid: string;
  /** Needed to find a resource by another spelling of its title (`File['/tmp/']`). */
  readonly findType: (name: string) => ResourceTypeInfo | undefined;
}

export class Catalog<Scope = unknown> {
  readonly name: string;
  readonly environment: string;
  readonly version: string | number;
  readonly codeId: string | null;
  readonly catalogUuid: string;
  readonly classes: string[] = [];
  readonly tags = new TagSet();
  readonly graph = new ContainmentGraph<Scope>();
  private readonly findType: CatalogOptions['findType'];
  private readonly ordered: Resource<Scope>[] = [];
  /** By type, then by title or alias: nothing is put together to look something up. */
  private readonly tables = new Map<string, Map<string, Resource<Scope>>>();

  constructor(options: CatalogOptions) {
    this.name = options.name;
    this.environment = options.environment;
    this.version = options.version;
    this.codeId = options.codeId;
    this.catalogUuid = options.catalogUuid;
    this.findType = options.findType;
  }

  /** In the order of their declaration. */
  get resources(): readonly Resource<Scope>[] {
    return this.ordered;
  }

  /** Lists a class as evaluated and tags the catalog with it. */
  addClass(name: string): void {
    this.classes.push(name);
    this.tags.add(name);
  }

  /** @throws PuppetError on a second declaration of the same thing. */
  add(resource: Resource<Scope>): void {
    const table = this.tableOf(resource.type);
    const existing = table.get(resource.title);
    if (existing !== undefined) throw duplicate(existing, resource);
    table.set(resource.title, resource);
    this.ordered.push(resource);
    this.addAliases(resource);
    this.graph.addVertex(resource);
  }

  /** The resource of exactly this type and title, both spelled as catalogs do. */
  titled(type: string, title: string): Resource<Scope> | undefined {
    const found = this.tables.get(type)?.get(title);
    return found?.title === title ? found : undefined;
  }

  /** Finds by any spelling of type and title; `undefined` when it has not been declared. */
  find(type: string, title: string): Resource<Scope> | undefined {
    const canonicalType = canonicalTypeName(type);
    const table = this.tables.get(canonicalType);
    const found = table?.get(canonicalTitle(canonicalType, title));
    if (found !== undefined || canonicalType === 'Class') return found;
    const info = this.findType(canonicalType.toLowerCase());
    // Also for an unknown type: a title that makes no sense is an error all the same.
    const key = keyOf(uniquenessKey(info, title, undefined));
    return table?.get(key);
  }

  /** Finds by `Type[title]`. @throws PuppetError when the text is no reference. */
  findReference(reference: string): Resource<Scope> | undefined {
    const parts = splitReference(reference);
    if (parts === undefined) {
      throw failure(`No title provided and ${JSON.stringify(reference)} is not a valid resource reference`);
    }
    return this.find(parts[0], parts[1]);
  }

  private addAliases(resource: Resource<Scope>): void {
    const aliases = resource.value('alias');
    if (aliases !== undefined) for (const alias of flatten(aliases)) this.addAlias(resource, String(alias));
    if (resource.typeInfo?.isIsomorphic === false || isNamedByTitle(resource)) return;
    const key = uniquenessKey(resource.typeInfo, resource.title, resource);
    const isTitle = key.length === 1 && key[0] === resource.title;
    if (!isTitle && key.some((part) => part !== null && part !== false)) this.addAlias(resource, key);
  }

  private addAlias(resource: Resource<Scope>, alias: string | UniquenessKey): void {
    const key = typeof alias === 'string' ? alias : keyOf(alias);
    const table = this.tableOf(resource.type);
    const existing = table.get(key);
    if (existing === resource) return;
    if (existing !== undefined) throw aliasTaken(resource, alias, existing);
    table.set(key, resource);
  }

  private tableOf(type: string): Map<string, Resource<Scope>> {
    let table = this.tables.get(type);
    if (table === undefined) {
      table = new Map();
      this.tables.set(type, table);
    }
    return table;
  }
}

/** The usual case, in which there is nothing to compute: the title is the only name. */
function isNamedByTitle({ typeInfo, parameters }: Resource): boolean {
  if (typeInfo === undefined) return !parameters.has('name');
  const [namevar = 'name'] = typeInfo.namevars;
  return isTitleTheKey(typeInfo) && !parameters.has(namevar) && !parameters.has('name');
}

/** The values of the key attributes, which tell two resources of a type apart: a number is not its text. */
type UniquenessKey = readonly Value[];

function uniquenessKey(
  type: ResourceTypeInfo | undefined,
  title: string,
  resource: Resource | undefined,
): UniquenessKey {
  const namevar = namevarOf(type);
  if (resource !== undefined && type?.namevars.length === 1 && isNamedOnce(resource, namevar))
    return [keyPart(resource.value(namevar) ?? resource.titleAttributes.get(namevar) ?? title)];
  const attributes = new Map<string, Value>(resource?.titleAttributes ?? parseTitle(type, title));
  for (const [name, parameter] of resource?.parameters ?? []) {
    if (parameter.value !== null) attributes.set(name === 'name' ? namevar : name, parameter.value);
  }
  attributes.set(namevar, attributes.get(namevar) ?? attributes.get('name') ?? title);
  attributes.set('name', attributes.get('name') ?? attributes.get(namevar) ?? title);
  return [...(type?.namevars ?? ['name'])].sort().map((name) => keyPart(attributes.get(name) ?? null));
}

function keyPart(value: Value): Value {
  return isText(value) ? plainText(value) : value;
}

/** A single text is the key itself: it is another spelling of a title. */
function keyOf(parts: UniquenessKey): string {
  const [first, second] = parts;
  if (typeof first === 'string' && second === undefined) return first;
  return parts.map(keyOfPart).join('');
}

function keyOfPart(part: Value): string {
  if (part === null) return '\u0001';
  return typeof part === 'string' ? `\u0000${part}` : `\u0002${inspect(part)}`;
}

function duplicate(existing: Resource, resource: Resource): Error {
  const at = location(existing);
  return failure(
    `Duplicate declaration: ${resource.reference} is already declared${at === '' ? '' : ` at ${at}`}; ` +
      `cannot redeclare${renderPosition(positionOf(resource))}`,
  );
}

function aliasTaken(resource: Resource, alias: string | UniquenessKey, existing: Resource): Error {
  const at = location(resource);
  const parts = typeof alias === 'string' ? [alias] : alias;
  const full = inspect([resource.type, ...parts].flatMap(flat));
  return failure(
    `Cannot alias ${resource.reference} to ${typeof alias === 'string' ? inspect(alias) : inspect(alias)}` +
      `${at === '' ? '' : ` at ${at}`}; ` +
      `resource ${full} already declared${renderPosition(positionOf(existing))}`,
  );
}

function flat(value: Value): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]).flatMap(flat) : [value];
}

function location(resource: Resource): string {
  return renderPosition(positionOf(resource)).trim();
}

function positionOf(resource: Resource): { file?: string; line?: number } {
  return {
    ...(resource.file === undefined ? {} : { file: resource.file }),
    ...(resource.line === undefined ? {} : { line: resource.line }),
  };
}

function* flatten(value: Value): Iterable<Value> {
  if (Array.isArray(value)) for (const item of value as readonly Value[]) yield* flatten(item);
  else if (value !== null) yield value;
}
