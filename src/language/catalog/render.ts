/** Catalogs on the wire: straight to JSON text. */

import { exhaustionOf } from '../../lib/exhaustion.ts';
import { toData, type Value } from '../pcore/index.ts';
import { attributeData, type DataStyle, isPlain, renderPlain } from './attribute-data.ts';
import type { Catalog } from './catalog.ts';
import { exhausted } from './failure.ts';
import type { Resource, ResourceKind } from './resource.ts';
import { namevarOf } from './resource-type.ts';
import type { TagSet } from './tag-set.ts';
import { hasOddTitle, isNamedOnce, isPlainlyNamed, withTitle } from './title-attributes.ts';

/** `rich+json` keeps what JSON has no words for; plain `json` has text in its place. */
export type CatalogFormat = 'application/vnd.puppet.rich+json' | 'application/json';

/**
 * The catalog as agents get it: without virtual resources, those that are only exported included.
 *
 * @param onText - told what becomes text because the format has no words for it, and of which resource; may throw
 * @throws PuppetError when a value is too deep or too large for the engine
 */
export function renderCatalog(
  catalog: Catalog,
  format: CatalogFormat,
  onText?: (message: string, resource: Resource) => void,
): string {
  try {
    const isRich = format === 'application/vnd.puppet.rich+json';
    return render(catalog, {
      isRich,
      onText,
      words: new Map(),
      lists: new Map(),
      types: new Map(),
      names: new Map(),
    });
  } catch (error) {
    const limit = exhaustionOf(error);
    throw limit === undefined ? error : exhausted(limit);
  }
}

function render(catalog: Catalog, style: Style): string {
  // Text is only ever appended to: it is copied once, when it is encoded, instead of once for each level.
  let resources = '';
  /** References as JSON: a container is named in the edges to all that it contains. */
  const present = new Map<Resource, string>();
  for (const resource of catalog.resources) {
    if (resource.isVirtual) continue;
    present.set(resource, quote(resource.reference));
    resources += renderResource(resource, resources === '', style);
  }
  return (
    `{"tags":${renderStrings(catalog.tags)},` +
    `"name":${quote(catalog.name)},` +
    `"version":${JSON.stringify(catalog.version)},` +
    `"code_id":${JSON.stringify(catalog.codeId)},` +
    `"catalog_uuid":${quote(catalog.catalogUuid)},` +
    '"catalog_format":2,' +
    `"environment":${quote(catalog.environment)},` +
    `"resources":[${resources}],` +
    `"edges":[${renderEdges(catalog, present)}],` +
    `"classes":${renderStrings(catalog.classes)}}`
  );
}

function renderEdges({ graph }: Catalog, present: ReadonlyMap<Resource, string>): string {
  let edges = '';
  let last: Resource | undefined;
  let start = '';
  graph.eachEdge((source, target) => {
    const from = present.get(source);
    const to = present.get(target);
    if (from === undefined || to === undefined) return;
    if (source !== last) start = `,{"source":${from},"target":`;
    last = source;
    edges += `${edges === '' ? start.slice(1) : start}${to}}`;
  });
  return edges;
}

/** One value as rich JSON. @param warn - told what is not kept as it is */
export function renderValue(value: Value, warn?: (message: string) => void): string {
  return renderPlain(isPlain(value) ? value : toData(value, warn === undefined ? {} : { warn }));
}

/** Longer values rarely come again. */
const LONGEST_WORD = 12;

interface Style extends DataStyle {
  /** Tags, files and short values as JSON: a catalog has few of them, many times. */
  readonly words: Map<string, string>;
  /** Tags that all resources in a container have, as JSON. */
  readonly lists: Map<readonly string[], string>;
  /** How resources begin, by type. */
  readonly types: Map<string, Beginning>;
  /** Names of attributes, with what is around them. */
  readonly names: Map<string, Beginning>;
}

/** How something is written at the beginning of a list, and after something else. */
interface Beginning {
  readonly first: string;
  readonly next: string;
}

function renderResource(resource: Resource, isFirst: boolean, style: Style): string {
  const { file, kind, isExported, line, sensitiveParameters, tags, title } = resource;
  let text = `${resourceStart(resource.type, isFirst, style)}${quote(title)},"tags":[${renderTags(tags, style)}]`;
  if (file !== undefined && file !== '') text += `,"file":${word(file, style)}`;
  if (line !== undefined) text += `,"line":${line}`;
  text += KINDS[isExported ? 'exported' : 'own'][kind];
  const parameters = renderParameters(resource, style);
  if (parameters !== '') text += `,"parameters":{${parameters}}`;
  if (sensitiveParameters.length > 0) text += `,"sensitive_parameters":${renderStrings(sensitiveParameters)}`;
  return `${text}}`;
}

const KINDS = { exported: kinds(true), own: kinds(false) } as const;

function kinds(isExported: boolean): Readonly<Record<ResourceKind, string>> {
  const of = (kind: ResourceKind) => `,"exported":${isExported},"kind":"${kind}"`;
  return {
    class: of('class'),
    defined_type: of('defined_type'),
    compilable_type: of('compilable_type'),
    unknown: of('unknown'),
  };
}

function resourceStart(type: string, isFirst: boolean, { types }: Style): string {
  let start = types.get(type);
  if (start === undefined) {
    const first = `{"type":${quote(type)},"title":`;
    start = { first, next: `,${first}` };
    types.set(type, start);
  }
  return isFirst ? start.first : start.next;
}

function attributeStart(name: string, isFirst: boolean, { names }: Style): string {
  let start = names.get(name);
  if (start === undefined) {
    const first = `${quote(name)}:`;
    start = { first, next: `,${first}` };
    names.set(name, start);
  }
  return isFirst ? start.first : start.next;
}

/** What the title says comes first, but not the one that merely repeats it. */
function renderParameters(resource: Resource, style: Style): string {
  if (isPlainlyNamed(resource)) return renderGiven(resource, style);
  const namevar = namevarOf(resource.typeInfo);
  let text = '';
  if (isNamedOnce(resource, namevar)) {
    const key = resource.value(namevar) ?? resource.titleAttributes.get(namevar) ?? null;
    if (key !== resource.title || hasOddTitle(resource))
      text = attributeStart(namevar, true, style) + renderData(namevar, key, resource, style);
    for (const { name, value } of resource.parameters.values()) {
      if (name === namevar || value === null) continue;
      text += attributeStart(name, text === '', style) + renderData(name, value, resource, style);
    }
    return text;
  }
  for (const [name, value] of withTitle(resource, namevar)) {
    if (name === namevar && value === resource.title && !hasOddTitle(resource)) continue;
    text += attributeStart(name, text === '', style) + renderData(name, value, resource, style);
  }
  return text;
}

function renderGiven(resource: Resource, style: Style): string {
  const namevar = namevarOf(resource.typeInfo);
  let text = '';
  for (const { name: given, value } of resource.parameters.values()) {
    if (value === null) continue;
    const name = given === 'name' ? namevar : given;
    if (name === namevar && value === resource.title && !hasOddTitle(resource)) continue;
    text += attributeStart(name, text === '', style) + renderData(given, value, resource, style);
  }
  return text;
}

function renderData(name: string, value: Value, resource: Resource, style: Style): string {
  if (typeof value === 'string') return value.length > LONGEST_WORD ? quote(value) : word(value, style);
  if (typeof value !== 'object' || value === null) return String(value);
  return renderPlain(attributeData(name, value, resource, style));
}

/** @throws PuppetError when a title can't be read, which only those who render a catalog would notice */
export function checkTitles(catalog: Catalog): void {
  for (const resource of catalog.resources) {
    if (resource.isVirtual || isPlainlyNamed(resource)) continue;
    // Asked for what it throws.
    void resource.titleAttributes;
  }
}

function renderTags({ later, own, shared }: TagSet, style: Style): string {
  let text = renderWords(own, style);
  if (shared.length > 0) {
    let taken = style.lists.get(shared);
    if (taken === undefined) {
      taken = renderWords(shared, style);
      style.lists.set(shared, taken);
    }
    text = text === '' ? taken : `${text},${taken}`;
  }
  return later.length === 0 ? text : `${text},${renderWords(later, style)}`;
}

function renderWords(texts: readonly string[], style: Style): string {
  let words = '';
  for (const text of texts) words += words === '' ? word(text, style) : `,${word(text, style)}`;
  return words;
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
