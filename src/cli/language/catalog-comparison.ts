/** What differs between two catalogs. */

import { z } from 'zod';
import { isRawNumber, keepNumber } from '../../lib/raw-json.ts';

type Values = Readonly<Record<string, unknown>>;

export interface ReadableCatalog {
  readonly name: string;
  readonly environment: string;
  readonly classes: readonly string[];
  readonly resources: ReadonlyMap<string, ReadableResource>;
  readonly edges: ReadonlySet<string>;
}

interface ReadableResource {
  readonly parameters: Values;
  /** `tags`, `file`, `line`, `exported`, ... */
  readonly origin: Values;
  readonly isExported: boolean;
}

export interface ParameterChange {
  readonly name: string;
  /** Absent when the catalog before has none, as is `after` when the catalog after has none. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface CatalogDifferences {
  readonly isSame: boolean;
  readonly node: ParameterChange[];
  readonly classes: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly resources: {
    readonly added: readonly { readonly reference: string; readonly parameters: Values }[];
    readonly removed: readonly { readonly reference: string; readonly parameters: Values }[];
    readonly changed: readonly { readonly reference: string; readonly changes: readonly ParameterChange[] }[];
  };
  readonly edges: { readonly added: readonly string[]; readonly removed: readonly string[] };
}

const CatalogWire = z.object({
  name: z.string(),
  environment: z.string().optional(),
  classes: z.array(z.string()).optional(),
  resources: z.array(
    z.looseObject({
      type: z.string(),
      title: z.string(),
      exported: z.boolean().optional(),
      parameters: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  edges: z.array(z.object({ source: z.string(), target: z.string() })).optional(),
});

/**
 * Reads a catalog from JSON; `1` and `1.0` stay two different values.
 *
 * @throws Error that says what is wrong
 */
export function readCatalog(text: string): ReadableCatalog {
  const wire = CatalogWire.parse(JSON.parse(text, keepNumber));
  const { classes = [], edges = [], environment = '', name } = wire;
  return {
    name,
    environment,
    classes: [...new Set(classes)],
    resources: new Map(
      wire.resources.map(({ type, title, parameters = {}, exported = false, ...origin }) => [
        `${type}[${title}]`,
        { parameters, origin, isExported: exported },
      ]),
    ),
    edges: new Set(edges.map(({ source, target }) => `${source} -> ${target}`)),
  };
}

export function compareCatalogs(
  before: ReadableCatalog,
  after: ReadableCatalog,
  options: { readonly comparesOrigins: boolean },
): CatalogDifferences {
  const node = changesOf(
    { name: before.name, environment: before.environment },
    { name: after.name, environment: after.environment },
  );
  const classes = membersOf(new Set(before.classes), new Set(after.classes));
  const edges = membersOf(before.edges, after.edges);
  const references = membersOf(new Set(before.resources.keys()), new Set(after.resources.keys()));
  const resources = {
    added: references.added.map((reference) => withParameters(reference, after)),
    removed: references.removed.map((reference) => withParameters(reference, before)),
    changed: changedResources(before, after, options),
  };
  const parts = [node, resources.added, resources.removed, resources.changed];
  const lists = [classes.added, classes.removed, edges.added, edges.removed];
  const isSame = [...parts, ...lists].every((part) => part.length === 0);
  return { isSame, node, classes, resources, edges };
}

/** Lines for people; empty when nothing differs. */
export function renderDifferences({ node, classes, resources, edges }: CatalogDifferences): string {
  const lines = [
    ...node.flatMap(renderChange('')),
    ...classes.removed.map((name) => `- class ${name}`),
    ...classes.added.map((name) => `+ class ${name}`),
    ...resources.removed.flatMap(({ reference, parameters }) => renderResource('-', reference, parameters)),
    ...resources.added.flatMap(({ reference, parameters }) => renderResource('+', reference, parameters)),
    ...resources.changed.flatMap(({ reference, changes }) => [
      `  ${reference}`,
      ...changes.flatMap(renderChange('    ')),
    ]),
    ...edges.removed.map((edge) => `- edge ${edge}`),
    ...edges.added.map((edge) => `+ edge ${edge}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function changedResources(
  before: ReadableCatalog,
  after: ReadableCatalog,
  { comparesOrigins }: { readonly comparesOrigins: boolean },
) {
  return [...before.resources].flatMap(([reference, old]) => {
    const fresh = after.resources.get(reference);
    if (fresh === undefined) return [];
    const changes = [
      ...changesOf({ exported: old.isExported }, { exported: fresh.isExported }),
      ...changesOf(old.parameters, fresh.parameters),
      ...(comparesOrigins ? changesOf(sortedTags(old.origin), sortedTags(fresh.origin)) : []),
    ];
    return changes.length === 0 ? [] : [{ reference, changes }];
  });
}

/** The order of tags has no meaning. */
function sortedTags({ tags, ...origin }: Values): Values {
  return { ...origin, tags: Array.isArray(tags) ? tags.map(String).sort() : tags };
}

function changesOf(before: Values, after: Values): ParameterChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].sort().flatMap((name) => {
    const [old, fresh] = [before[name], after[name]];
    if (canonical(old) === canonical(fresh)) return [];
    return [
      {
        name,
        ...(old === undefined ? {} : { before: old }),
        ...(fresh === undefined ? {} : { after: fresh }),
      },
    ];
  });
}

function membersOf(before: ReadonlySet<string>, after: ReadonlySet<string>) {
  return {
    added: [...after].filter((member) => !before.has(member)).sort(),
    removed: [...before].filter((member) => !after.has(member)).sort(),
  };
}

function withParameters(reference: string, { resources }: ReadableCatalog) {
  return { reference, parameters: resources.get(reference)?.parameters ?? {} };
}

function renderResource(sign: '+' | '-', reference: string, parameters: Values): readonly string[] {
  const names = Object.keys(parameters).sort();
  return [
    `${sign} ${reference}`,
    ...names.map((name) => `${sign}     ${name} => ${canonical(parameters[name])}`),
  ];
}

function renderChange(indent: string): (change: ParameterChange) => readonly string[] {
  return ({ name, before, after }) => [
    ...(before === undefined ? [] : [`-${indent} ${name} => ${canonical(before)}`]),
    ...(after === undefined ? [] : [`+${indent} ${name} => ${canonical(after)}`]),
  ];
}

/** JSON with the keys of hashes sorted: their order has no meaning. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    const isHash = typeof item === 'object' && item !== null && !Array.isArray(item) && !isRawNumber(item);
    return isHash ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item;
  });
}
