/** Catalogs on the wire: straight to JSON text. */

import { exhaustionOf } from '../../lib/exhaustion.ts';
import {
  ClassType,
  Float,
  isArray,
  PuppetHash,
  plainText,
  ResourceType,
  rubyFloat,
  toData,
  type Value,
} from '../pcore/index.ts';
import type { Catalog } from './catalog.ts';
import { exhausted } from './failure.ts';
import { canonicalTitle, canonicalTypeName } from './reference.ts';
import type { Resource, ResourceParameter } from './resource.ts';
import { namevarOf } from './resource-type.ts';
import { isTitleTheKey, parseTitle } from './title-pattern.ts';

/** `rich+json` keeps what JSON has no words for; plain `json` has text in its place. */
export type CatalogFormat = 'application/vnd.puppet.rich+json' | 'application/json';

/**
 * The catalog as agents get it: without virtual resources, those that are only exported included.
 *
 * @param warn - told what becomes text because the format has no words for it
 * @throws PuppetError when a value is too deep or too large for the engine
 */
export function renderCatalog(
  catalog: Catalog,
  format: CatalogFormat,
  warn?: (message: string) => void,
): string {
  try {
    return render(catalog, { format, warn, words: new Map() });
  } catch (error) {
    const limit = exhaustionOf(error);
    throw limit === undefined ? error : exhausted(limit);
  }
}

function render(catalog: Catalog, style: Style): string {
  const resources: string[] = [];
  /** References as JSON: a container is named in the edges to all that it contains. */
  const present = new Map<Resource, string>();
  for (const resource of catalog.resources) {
    if (resource.isVirtual) continue;
    present.set(resource, quote(resource.reference));
    resources.push(renderResource(resource, style));
  }
  const edges: string[] = [];
  for (const { source, target } of catalog.graph.edges()) {
    const from = present.get(source);
    const to = present.get(target);
    if (from !== undefined && to !== undefined) edges.push(`{"source":${from},"target":${to}}`);
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

/** One value as rich JSON. @param warn - told what is not kept as it is */
export function renderValue(value: Value, warn?: (message: string) => void): string {
  return renderPlain(isPlain(value) ? value : toData(value, warn === undefined ? {} : { warn }));
}

interface Style {
  readonly format: CatalogFormat;
  /** Told what the format has no words for. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Tags, types, files and attributes as JSON: a catalog has few of them, many times. */
  readonly words: Map<string, string>;
}

function renderResource(resource: Resource, style: Style): string {
  const parts = [
    `{"type":${word(resource.type, style)},"title":${quote(resource.title)},"tags":${renderTags(resource.tags, style)}`,
  ];
  if (resource.file !== undefined && resource.file !== '') parts.push(`"file":${word(resource.file, style)}`);
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
  if (isPlainlyNamed(resource)) return renderGiven(resource, style);
  const namevar = namevarOf(resource.typeInfo);
  const parts: string[] = [];
  for (const [name, value] of withTitle(resource, namevar)) {
    if (name === namevar && value === resource.title && !hasOddTitle(resource)) continue;
    const parameter = { name, value, source: resource.source };
    parts.push(
      `${word(name, style)}:${value === null ? 'null' : renderParameter(parameter, resource, style)}`,
    );
  }
  return parts.join(',');
}

function renderGiven(resource: Resource, style: Style): string {
  const namevar = namevarOf(resource.typeInfo);
  const parts: string[] = [];
  for (const parameter of resource.parameters.values()) {
    const { value } = parameter;
    if (value === null) continue;
    const name = parameter.name === 'name' ? namevar : parameter.name;
    if (name === namevar && value === resource.title && !hasOddTitle(resource)) continue;
    parts.push(`${word(name, style)}:${renderParameter(parameter, resource, style)}`);
  }
  return parts.join(',');
}

/**
 * What the reference makes of title and attributes: it puts them together when it copies the resource, where `name`
 * is another word for the key attribute, and once more when it writes the copy.
 */
function withTitle(resource: Resource, namevar: string): ReadonlyMap<string, Value> {
  const fromTitle = parseTitle(resource.typeInfo, resource.title);
  const given = new Map<string, Value>(fromTitle);
  for (const { name, value } of resource.parameters.values()) if (value !== null) given.set(name, value);
  const copied = new Map<string, Value>();
  for (const [name, value] of given) copied.set(name === 'name' ? namevar : name, value);
  return new Map([...fromTitle, ...copied]);
}

/** @throws PuppetError when a title can't be read, which only those who render a catalog would notice */
export function checkTitles(catalog: Catalog): void {
  for (const resource of catalog.resources) {
    if (!resource.isVirtual && !isPlainlyNamed(resource)) parseTitle(resource.typeInfo, resource.title);
  }
}

/** Its only key attribute is its title, as it is. */
function isPlainlyNamed(resource: Resource): boolean {
  const { typeInfo } = resource;
  if (hasOddTitle(resource)) return false;
  return typeInfo === undefined || isTitleTheKey(typeInfo);
}

/** Those whose title is not a string in the reference keep their name: the class and the stage `main`, too. */
function hasOddTitle({ isTitleText, type, title }: Resource): boolean {
  return !isTitleText || (title === 'main' && (type === 'Class' || type === 'Stage'));
}

const RELATIONSHIPS: ReadonlySet<string> = new Set(['before', 'require', 'notify', 'subscribe']);

function renderParameter({ name, value }: ResourceParameter, { reference }: Resource, style: Style): string {
  const flat = isArray(value) && (RELATIONSHIPS.has(name) || hasNestedReferences(value));
  const items = flat ? flatten(value).filter((item) => item !== null || !RELATIONSHIPS.has(name)) : value;
  const withText = referencesAsText(items);
  if (isPlain(withText)) return renderPlain(withText);
  const data = toData(new PuppetHash([[name, withText]]), {
    isRich: style.format === 'application/vnd.puppet.rich+json',
    messagePrefix: reference,
    ...(style.warn === undefined ? {} : { warn: style.warn }),
  });
  return renderPlain(data instanceof PuppetHash ? (data.get(name) ?? null) : data);
}

/** An array with references in it is flattened, as the reference does when it copies resources. */
function hasNestedReferences(values: readonly Value[]): boolean {
  return values.some(isArray) && flatten(values).some((item) => referenceText(item) !== undefined);
}

function flatten(values: readonly Value[]): readonly Value[] {
  return values.flatMap((value) => (isArray(value) ? flatten(value) : [value]));
}

/** In catalogs a reference to a resource is its text. */
function referencesAsText(value: Value): Value {
  if (value === null || typeof value !== 'object' || value instanceof Float) return value;
  if (isArray(value)) return value.some(isObject) ? value.map(referencesAsText) : value;
  if (!(value instanceof PuppetHash)) return referenceText(value) ?? value;
  return new PuppetHash(
    [...value].map(([key, item]) => [referencesAsText(key), referencesAsText(item)] as const),
  );
}

function isObject(value: Value): boolean {
  return typeof value === 'object' && value !== null;
}

function referenceText(value: Value): string | undefined {
  if (value instanceof ClassType && value.className !== undefined) {
    return `Class[${canonicalTitle('Class', value.className)}]`;
  }
  if (!(value instanceof ResourceType) || value.typeName === undefined || value.title === undefined)
    return undefined;
  const type = canonicalTypeName(value.typeName.toLowerCase());
  return `${type}[${canonicalTitle(type, value.title)}]`;
}

/** What JSON has words for; a hash with the key `__ptype` would be taken for rich data. */
function isPlain(value: Value): boolean {
  if (value === null || typeof value !== 'object' || value instanceof Float) return true;
  if (isArray(value)) return value.every(isPlain);
  if (!(value instanceof PuppetHash)) return false;
  for (const [key, item] of value)
    if (typeof key !== 'string' || key === '__ptype' || !isPlain(item)) return false;
  return true;
}

function renderPlain(value: Value): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Float) return rubyFloat(value.value);
  if (isArray(value)) return `[${value.map(renderPlain).join(',')}]`;
  if (!(value instanceof PuppetHash)) return quote(plainText(value));
  const parts: string[] = [];
  for (const [key, item] of value) parts.push(`${quote(plainText(key))}:${renderPlain(item)}`);
  return `{${parts.join(',')}}`;
}

function renderTags(tags: Iterable<string>, style: Style): string {
  let text = '';
  for (const tag of tags) text += text === '' ? word(tag, style) : `,${word(tag, style)}`;
  return `[${text}]`;
}

function word(text: string, { words }: Style): string {
  let quoted = words.get(text);
  if (quoted === undefined) {
    quoted = JSON.stringify(text);
    words.set(text, quoted);
  }
  return quoted;
}

function renderStrings(texts: Iterable<string>): string {
  return JSON.stringify([...texts]);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
