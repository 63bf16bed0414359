/** Two catalogs beside each other: what differs, and what of it only repeats the names of their nodes. */

import { canonicalValue, compareCatalogs, type ReadableCatalog } from '../../../language/catalog/index.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import type { CatalogDiff } from '../wire.ts';
import type { FleetSource } from './fleet-source.ts';

/** A catalog as PuppetDB keeps it: without values that are sensitive. */
export interface CatalogToCompare {
  readonly catalog: ReadableCatalog;
  readonly version: string;
  readonly codeId: string | null;
  /** When it was compiled. */
  readonly time: Date;
}

export interface CatalogSide {
  readonly certname: string;
  readonly source: 'stored' | 'compile';
  readonly environment: string | undefined;
}

/** @throws ServiceError `not-found` for a node without a catalog, `compile-failed` in Puppet's words */
export async function diffCatalogs(
  source: FleetSource,
  left: CatalogSide,
  right: CatalogSide,
  signal: AbortSignal,
): Promise<CatalogDiff> {
  const [before, after] = await Promise.all([find(source, left, signal), find(source, right, signal)]);
  return diffOf(left, before, right, after);
}

/** What differs between two catalogs. */
export function diffOf(
  left: Pick<CatalogSide, 'certname'>,
  before: CatalogToCompare,
  right: Pick<CatalogSide, 'certname'>,
  after: CatalogToCompare,
): CatalogDiff {
  const { edges, resources } = compareCatalogs(before.catalog, after.catalog, { comparesOrigins: false });
  const [textLeft, textRight] = [namelessText(left.certname), namelessText(right.certname)];
  const [removedTexts, addedTexts] = [
    new Set(resources.removed.map(textLeft)),
    new Set(resources.added.map(textRight)),
  ];
  const differing = {
    added: resources.added.map((each) => ({ ...each, is_noise: removedTexts.has(textRight(each)) })),
    removed: resources.removed.map((each) => ({ ...each, is_noise: addedTexts.has(textLeft(each)) })),
    changed: resources.changed.map(({ changes, reference }) => ({
      reference,
      changes: changes.map((change) => ({
        ...change,
        is_noise: textLeft(change.before) === textRight(change.after),
      })),
    })),
  };
  const lists = [edges.added, edges.removed, ...Object.values(differing)];
  return {
    left: originOf(left, before),
    right: originOf(right, after),
    is_same: lists.every(({ length }) => length === 0),
    resources: differing,
    edges: {
      added: withNoise(edges.added, textRight, new Set(edges.removed.map(textLeft))),
      removed: withNoise(edges.removed, textLeft, new Set(edges.added.map(textRight))),
    },
  };
}

async function find(
  source: FleetSource,
  { certname, environment, source: kind }: CatalogSide,
  signal: AbortSignal,
): Promise<CatalogToCompare> {
  if (kind === 'compile') return await source.compileCatalog(certname, environment, signal);
  const found = await source.storedCatalog(certname, signal);
  if (found !== undefined) return found;
  throw new ServiceError('not-found', `PuppetDB has no catalog of ${certname}`, {
    kind: 'bunraku.console/unknown-catalog',
    details: { certname },
  });
}

/** Values as text without the names of their node: two that are equal then say the same. */
function namelessText(certname: string): (value: unknown) => string {
  const [host = certname] = certname.split('.');
  return (value) => (canonicalValue(value) ?? '').replaceAll(certname, '\u0001').replaceAll(host, '\u0002');
}

function withNoise(
  edges: readonly string[],
  textOf: (value: unknown) => string,
  others: ReadonlySet<string>,
): CatalogDiff['edges']['added'] {
  return edges.map((edge) => ({ edge, is_noise: others.has(textOf(edge)) }));
}

function originOf(
  { certname }: Pick<CatalogSide, 'certname'>,
  { catalog, codeId, time, version }: CatalogToCompare,
): CatalogDiff['left'] {
  return {
    certname,
    environment: catalog.environment,
    version,
    code_id: codeId,
    time: time.toISOString(),
    resources: catalog.resources.size,
  };
}
