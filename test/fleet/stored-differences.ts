/** How two catalogs differ as PuppetDB would keep them: neither resources nor edges have an order. */

import { isDeepStrictEqual } from 'node:util';

interface StoredResource {
  readonly type: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

export interface StoredCatalog {
  readonly resources: readonly StoredResource[];
  readonly edges: readonly unknown[];
}

/** @returns a line for each difference */
export function* storedDifferences(expected: StoredCatalog, actual: StoredCatalog): Iterable<string> {
  const theirs = byReference(expected);
  const ours = byReference(actual);
  for (const [reference, resource] of theirs) {
    const own = ours.get(reference);
    if (own === undefined) yield `${reference} is missing`;
    else yield* resourceDifferences(reference, resource, own);
  }
  for (const reference of ours.keys()) if (!theirs.has(reference)) yield `${reference} is too much`;
  const [edges, ownEdges] = [expected.edges.map(edgeText), actual.edges.map(edgeText)];
  const own = new Set(ownEdges);
  const recorded = new Set(edges);
  if (own.size !== ownEdges.length) yield 'edges are there twice';
  for (const edge of edges) if (!own.has(edge)) yield `edge ${edge} is missing`;
  for (const edge of ownEdges) if (!recorded.has(edge)) yield `edge ${edge} is too much`;
}

function* resourceDifferences(
  reference: string,
  { parameters: theirs, tags: theirTags, ...expected }: StoredResource,
  { parameters: ours, tags, ...actual }: StoredResource,
): Iterable<string> {
  if (!isDeepStrictEqual(expected, actual)) yield `${reference}: ${text(expected)} is ${text(actual)}`;
  if (!isDeepStrictEqual(theirTags.toSorted(), tags.toSorted())) {
    yield `${reference}: tags ${text(theirTags.toSorted())} are ${text(tags.toSorted())}`;
  }
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    if (isDeepStrictEqual(theirs[name], ours[name])) continue;
    yield `${reference}.${name}: ${text(theirs[name])} is ${text(ours[name])}`;
  }
}

function byReference({ resources }: StoredCatalog): ReadonlyMap<string, StoredResource> {
  return new Map(resources.map((resource) => [`${resource.type}[${resource.title}]`, resource]));
}

function edgeText(edge: unknown): string {
  const { source, target, relationship } = edge as Readonly<Record<string, Record<string, string>>>;
  return [source?.['type'], source?.['title'], target?.['type'], target?.['title'], relationship].join(' ');
}

function text(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 300);
}
