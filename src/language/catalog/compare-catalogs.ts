/** What differs between two catalogs. The order of resources, and of the keys of a hash, has no meaning. */

import { isRawNumber } from '../../lib/raw-json.ts';

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

/** @param options - whether files, lines and tags of resources count, too */
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
    if (canonicalValue(old) === canonicalValue(fresh)) return [];
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

/** A value as JSON with the keys of hashes sorted. */
export function canonicalValue(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    const isHash = typeof item === 'object' && item !== null && !Array.isArray(item) && !isRawNumber(item);
    return isHash ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item;
  });
}
