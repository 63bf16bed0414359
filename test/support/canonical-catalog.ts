/** Catalogs in the form in which recorded ones are kept, and what tells two of them apart. */

import { compact, type ExactJson, ExactNumber, isList, isObject, mapStrings } from './exact-json.ts';

/** `[absolute directory, what stands for it]` */
export type Root = readonly [prefix: string, replacement: string];

export const MODULE_ROOTS: readonly Root[] = [
  ['/usr/share/puppet/modules.available/', 'modules.available/'],
  ['/usr/share/puppet/modules/', 'modules/'],
];

type JsonObject = { readonly [key: string]: ExactJson };

export interface CanonicalResource {
  readonly reference: string;
  readonly fields: JsonObject;
  readonly parameters: JsonObject;
  readonly tags: readonly string[];
  readonly order: number;
}

export interface CanonicalCatalog {
  readonly error: string | undefined;
  /** The wording of the error is not looked at. */
  readonly anyMessage: boolean;
  readonly name: string;
  readonly environment: string;
  readonly classes: readonly string[];
  readonly tags: readonly string[];
  readonly resources: ReadonlyMap<string, CanonicalResource>;
  readonly edges: readonly string[];
  readonly others: JsonObject;
}

/** Reads a catalog as a server renders it, or one that is canonical already. */
export function canonicalCatalog(original: ExactJson, roots: readonly Root[]): CanonicalCatalog {
  const json = mapStrings(original, (text) => shorten(text, roots));
  const catalog = isObject(json) ? json : {};
  const { error } = catalog;
  const message = isObject(error)
    ? text(error['message']).replace(/(#<[A-Za-z_:]+):0x[0-9a-f]+/g, '$1')
    : undefined;
  const resources = (isList(catalog['resources']) ? catalog['resources'] : []).map(canonicalResource);
  return {
    error: message,
    anyMessage: isObject(error) && error['any_message'] === true,
    name: text(catalog['name']),
    environment: text(catalog['environment']),
    classes: texts(catalog['classes']).toSorted(),
    tags: texts(catalog['tags']).toSorted(),
    resources: new Map(resources.map((resource) => [resource.reference, resource])),
    edges: (isList(catalog['edges']) ? catalog['edges'] : []).map(edgeText).toSorted(),
    others: Object.fromEntries(
      Object.entries(catalog).filter(([key]) => key === 'metadata' || key === 'recursive_metadata'),
    ),
  };
}

function shorten(value: string, roots: readonly Root[]): string {
  let result = value;
  for (const [prefix, replacement] of roots) result = result.replaceAll(prefix, replacement);
  return result;
}

function canonicalResource(json: ExactJson, index: number): CanonicalResource {
  const resource = isObject(json) ? json : {};
  const { parameters, order } = resource;
  const fields = Object.fromEntries(
    ['file', 'line', 'kind', 'sensitive_parameters']
      .filter((key) => resource[key] !== undefined)
      .map((key) => [key, sortedList(resource[key])]),
  );
  return {
    reference: `${text(resource['type'])}[${text(resource['title'])}]`,
    fields: { ...fields, ...(resource['exported'] === true ? { exported: true } : {}) },
    parameters: isObject(parameters) ? parameters : {},
    tags: texts(resource['tags']).toSorted(),
    order: order instanceof ExactNumber ? Number(order.text) : index,
  };
}

function sortedList(json: ExactJson | undefined): ExactJson {
  return isList(json) ? texts(json).toSorted() : (json ?? null);
}

function edgeText(json: ExactJson): string {
  return isObject(json) ? `${text(json['source'])} -> ${text(json['target'])}` : text(json);
}

function text(json: ExactJson | undefined): string {
  return typeof json === 'string' ? json : '';
}

function texts(json: ExactJson | undefined): readonly string[] {
  return isList(json) ? json.map(text) : [];
}

export type Aspect = 'file' | 'line' | 'kind' | 'order' | 'tags' | 'classes' | 'edges' | 'metadata';

/** What the oracle does not look at unless told to. */
export const IGNORED_BY_DEFAULT: ReadonlySet<Aspect> = new Set<Aspect>(['file', 'line', 'order', 'kind']);

/** Every difference in a sentence of its own. */
export function* differences(
  expected: CanonicalCatalog,
  actual: CanonicalCatalog,
  ignored: ReadonlySet<Aspect> = IGNORED_BY_DEFAULT,
): Iterable<string> {
  if (expected.error !== undefined || actual.error !== undefined) {
    if (
      expected.error !== undefined &&
      actual.error !== undefined &&
      (expected.anyMessage || actual.anyMessage)
    )
      return;
    if (expected.error === actual.error) return;
    yield `result:\n    - ${expected.error ?? '(a catalog)'}\n    + ${actual.error ?? '(a catalog)'}`;
    return;
  }
  for (const key of ['name', 'environment'] as const) {
    if (expected[key] !== actual[key]) yield `${key}: expected ${expected[key]}, found ${actual[key]}`;
  }
  if (!ignored.has('classes')) yield* setDifferences('classes', expected.classes, actual.classes);
  if (!ignored.has('tags')) yield* setDifferences('catalog tags', expected.tags, actual.tags);
  if (!ignored.has('metadata') && compact(expected.others) !== compact(actual.others))
    yield 'metadata differ';
  yield* resourceDifferences(expected, actual, ignored);
  if (!ignored.has('order')) yield* orderDifference(expected, actual);
  if (!ignored.has('edges')) yield* edgeDifferences(expected.edges, actual.edges);
}

function* setDifferences(
  what: string,
  expected: readonly string[],
  actual: readonly string[],
): Iterable<string> {
  const missing = [...new Set(expected)].filter((item) => !actual.includes(item));
  const extra = [...new Set(actual)].filter((item) => !expected.includes(item));
  if (missing.length > 0) yield `${what}: missing ${missing.join(', ')}`;
  if (extra.length > 0) yield `${what}: extra ${extra.join(', ')}`;
}

function* resourceDifferences(
  expected: CanonicalCatalog,
  actual: CanonicalCatalog,
  ignored: ReadonlySet<Aspect>,
): Iterable<string> {
  for (const reference of expected.resources.keys()) {
    if (!actual.resources.has(reference)) yield `missing resource ${reference}`;
  }
  for (const reference of actual.resources.keys()) {
    if (!expected.resources.has(reference)) yield `extra resource ${reference}`;
  }
  for (const [reference, wanted] of expected.resources) {
    const found = actual.resources.get(reference);
    if (found === undefined) continue;
    yield* parameterDifferences(reference, wanted.parameters, found.parameters);
    if (!ignored.has('tags')) yield* setDifferences(`${reference}: tags`, wanted.tags, found.tags);
    for (const field of ['exported', 'sensitive_parameters', 'file', 'line', 'kind']) {
      if (isAspect(field) && ignored.has(field)) continue;
      if (compact(wanted.fields[field]) === compact(found.fields[field])) continue;
      yield `${reference}: ${field} expected ${short(wanted.fields[field])}, found ${short(found.fields[field])}`;
    }
  }
}

function isAspect(field: string): field is Aspect {
  return field === 'file' || field === 'line' || field === 'kind';
}

function* parameterDifferences(
  reference: string,
  expected: JsonObject,
  actual: JsonObject,
): Iterable<string> {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const wanted = expected[name];
    const found = actual[name];
    if (found === undefined) yield `${reference}: parameter ${name} missing (${short(wanted)})`;
    else if (wanted === undefined) yield `${reference}: parameter ${name} extra (${short(found)})`;
    else if (compact(wanted) !== compact(found)) {
      yield `${reference}: parameter ${name}:\n    - ${short(wanted)}\n    + ${short(found)}`;
    }
  }
}

function* orderDifference(expected: CanonicalCatalog, actual: CanonicalCatalog): Iterable<string> {
  const wanted = inOrder(expected, actual);
  const found = inOrder(actual, expected);
  const at = wanted.findIndex((reference, index) => reference !== found[index]);
  if (at >= 0)
    yield `order of resources differs from position ${at}: expected ${wanted[at]}, found ${found[at]}`;
}

function inOrder(catalog: CanonicalCatalog, other: CanonicalCatalog): readonly string[] {
  return [...catalog.resources.values()]
    .toSorted((a, b) => a.order - b.order)
    .map(({ reference }) => reference)
    .filter((reference) => other.resources.has(reference));
}

function* edgeDifferences(expected: readonly string[], actual: readonly string[]): Iterable<string> {
  const wanted = counts(expected);
  const found = counts(actual);
  for (const [edge, count] of wanted) if ((found.get(edge) ?? 0) < count) yield `missing edge ${edge}`;
  for (const [edge, count] of found) if ((wanted.get(edge) ?? 0) < count) yield `extra edge ${edge}`;
}

function counts(edges: readonly string[]): ReadonlyMap<string, number> {
  const result = new Map<string, number>();
  for (const edge of edges) result.set(edge, (result.get(edge) ?? 0) + 1);
  return result;
}

function short(json: ExactJson | undefined): string {
  const value = compact(json);
  return value.length > 300 ? `${value.slice(0, 300)}... (${value.length} characters)` : value;
}
