/** Catalogs on the wire: straight to JSON text. */

import {
  ClassType,
  DEFAULT,
  Float,
  isArray,
  PuppetHash,
  ResourceType,
  stringify,
  toRichData,
  type Value,
} from '../pcore/index.ts';
import type { Catalog } from './catalog.ts';
import { canonicalTitle, canonicalTypeName } from './reference.ts';
import type { Resource, ResourceParameter } from './resource.ts';
import { namevarOf } from './resource-type.ts';
import { parseTitle } from './title-pattern.ts';

/** `rich+json` keeps what JSON has no words for; plain `json` has text in its place. */
export type CatalogFormat = 'application/vnd.puppet.rich+json' | 'application/json';

/** The catalog as agents get it: without virtual resources, those that are only exported included. */
export function renderCatalog(catalog: Catalog, format: CatalogFormat): string {
  const style = format === 'application/vnd.puppet.rich+json' ? 'rich' : 'plain';
  const resources: string[] = [];
  const present = new Set<Resource>();
  for (const resource of catalog.resources) {
    if (resource.isVirtual) continue;
    present.add(resource);
    resources.push(renderResource(resource, style));
  }
  const edges: string[] = [];
  for (const { source, target } of catalog.graph.edges()) {
    if (!present.has(source) || !present.has(target)) continue;
    edges.push(`{"source":${quote(source.reference)},"target":${quote(target.reference)}}`);
  }
  return [
    `{"tags":${renderStrings(catalog.tags)}`,
    `"name":${quote(catalog.name)}`,
    `"version":${JSON.stringify(catalog.version)}`,
    `"code_id":${JSON.stringify(catalog.codeId)}`,
    `"catalog_uuid":${quote(catalog.catalogUuid)}`,
    '"catalog_format":2',
    `"environment":${quote(catalog.environment)}`,
    `"resources":[${resources.join(',')}]`,
    `"edges":[${edges.join(',')}]`,
    `"classes":${renderStrings(catalog.classes)}}`,
  ].join(',');
}

/** One value as rich JSON; references stay types. */
export function renderValue(value: Value): string {
  return render(value, 'value');
}

/** A value of its own, or an attribute in a catalog of either format: there a reference is its text. */
type Style = 'value' | 'rich' | 'plain';

function renderResource(resource: Resource, style: Style): string {
  const parts = [
    `{"type":${quote(resource.type)},"title":${quote(resource.title)},"tags":${renderStrings(resource.tags)}`,
  ];
  if (resource.file !== undefined && resource.file !== '') parts.push(`"file":${quote(resource.file)}`);
  if (resource.line !== undefined) parts.push(`"line":${resource.line}`);
  parts.push(`"exported":${resource.isExported}`, `"kind":"${resource.kind}"`);
  const parameters = renderParameters(resource, style);
  if (parameters !== '') parts.push(`"parameters":{${parameters}}`);
  if (resource.sensitiveParameters.length > 0) {
    parts.push(`"sensitive_parameters":${renderStrings(resource.sensitiveParameters)}`);
  }
  return `${parts.join(',')}}`;
}

/** What the title says comes first, but not the one that merely repeats it. */
function renderParameters(resource: Resource, style: Style): string {
  const namevar = namevarOf(resource.typeInfo);
  const parts: string[] = [];
  const fromTitle = isPlainlyNamed(resource) ? NOTHING : parseTitle(resource.typeInfo, resource.title);
  for (const [name, value] of fromTitle) {
    if (resource.parameters.get(name)?.value !== undefined) continue;
    if (name === namevar && value === resource.title && !isMain(resource)) continue;
    parts.push(`${quote(name)}:${quote(value)}`);
  }
  for (const parameter of resource.parameters.values()) {
    const { value } = parameter;
    if (value === null) continue;
    const name = parameter.name === 'name' ? namevar : parameter.name;
    if (name === namevar && value === resource.title && !isMain(resource)) continue;
    parts.push(`${quote(name)}:${renderParameter(parameter, style)}`);
  }
  return parts.join(',');
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Its only key attribute is its title, as it is. */
function isPlainlyNamed(resource: Resource): boolean {
  if (isMain(resource)) return false;
  const [pattern, second] = resource.typeInfo?.titlePatterns ?? [];
  return pattern === undefined || (second === undefined && pattern.source === '(.*)' && pattern.attributes.length === 1);
}

/** The class and the stage `main` keep their name: their title is not a string in the reference. */
function isMain({ type, title }: Resource): boolean {
  return title === 'main' && (type === 'Class' || type === 'Stage');
}

const RELATIONSHIPS: ReadonlySet<string> = new Set(['before', 'require', 'notify', 'subscribe']);

function renderParameter({ name, value }: ResourceParameter, style: Style): string {
  if (!RELATIONSHIPS.has(name) || !isArray(value)) return render(withoutNestedReferences(value), style);
  return render(
    flatten(value).filter((item) => item !== null),
    style,
  );
}

/** An array with references in it is flattened, as the reference does when it copies resources. */
function withoutNestedReferences(value: Value): Value {
  if (!isArray(value) || !value.some(isArray)) return value;
  const flat = flatten(value);
  return flat.some((item) => referenceText(item) !== undefined) ? flat : value;
}

function flatten(values: readonly Value[]): readonly Value[] {
  return values.flatMap((value) => (isArray(value) ? flatten(value) : [value]));
}

function render(value: Value, style: Style): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Float) return stringify(value);
  if (isArray(value)) return `[${value.map((item) => render(item, style)).join(',')}]`;
  if (value instanceof PuppetHash && hasPlainKeys(value)) return renderHash(value, style);
  const reference = style === 'value' ? undefined : referenceText(value);
  if (reference !== undefined) return quote(reference);
  if (style === 'plain') return renderPlainly(value);
  return JSON.stringify(toRichData(value), numbersAsText).replaceAll(/"\u0000(-?[\d.e+]+)\u0000"/g, '$1');
}

function renderHash(hash: PuppetHash, style: Style): string {
  const parts: string[] = [];
  for (const [key, item] of hash) parts.push(`${quote(String(key))}:${render(item, style)}`);
  return `{${parts.join(',')}}`;
}

/** Such a hash is a JSON object; `__ptype` would be taken for the mark of rich data. */
function hasPlainKeys(hash: PuppetHash): boolean {
  for (const key of hash.keys()) if (typeof key !== 'string' || key === '__ptype') return false;
  return true;
}

function renderPlainly(value: Value): string {
  if (value === DEFAULT) return '"default"';
  if (!(value instanceof PuppetHash)) return quote(stringify(value));
  const entries = [...value].map(([key, item]) => `${quote(stringify(key))}:${render(item, 'plain')}`);
  return `{${entries.join(',')}}`;
}

function numbersAsText(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `\u0000${value}\u0000`;
  return value instanceof Float ? `\u0000${stringify(value)}\u0000` : value;
}

function referenceText(value: Value): string | undefined {
  if (value instanceof ClassType && value.className !== undefined) {
    return `Class[${canonicalTitle('Class', value.className)}]`;
  }
  if (!(value instanceof ResourceType) || value.typeName === undefined || value.title === undefined) return undefined;
  const type = canonicalTypeName(value.typeName.toLowerCase());
  return `${type}[${canonicalTitle(type, value.title)}]`;
}

function renderStrings(texts: Iterable<string>): string {
  return JSON.stringify([...texts]);
}

/** JSON's quoting, quickly for the usual text. */
function quote(text: string): string {
  return JSON.stringify(text);
}
