/** The digests that the reference gives to what it keeps, so that clients know things by the same names. */

import { createHash } from 'node:crypto';
import { quoted } from '../../../lib/ordered-json.ts';
import { canonicalJson, compareText, identityHash } from '../canonical-json.ts';
import { setOrder } from './set-order.ts';
import type { Catalog, CatalogEdge, CatalogResource, Facts, Report } from './wire.ts';

/** @param parameters - canonical JSON */
export function resourceHash({ type, title }: CatalogResource, parameters: string): string {
  return identityHash(`[${quoted(type)},${quoted(title)},${parameters}]`);
}

/** Packages count where there are any, in whatever order they came. */
export function factsetHash({ certname, environment, values, package_inventory: sent }: Facts): string {
  const packages = sent?.toSorted(comparePackages) ?? [];
  const inventory = packages.length === 0 ? {} : { package_inventory: packages };
  return identityHash(canonicalJson({ certname, environment, values, ...inventory }));
}

/** A resource with its parameters as canonical JSON. */
export interface IdentifiedResource {
  readonly resource: CatalogResource;
  readonly parameters: string;
}

/**
 * Says whether a catalog is the one that is already there: its times and UUIDs do not count.
 */
export function catalogHash({ certname, edges }: Catalog, resources: readonly IdentifiedResource[]): string {
  const digest = createHash('sha1').update(`{"certname":${quoted(certname)},"edges":[`);
  const described = new Set(edges.toSorted(compareEdges).map(describeEdge));
  digest.update([...described].join(','));
  digest.update('],"resources":[');
  const sorted = resources.toSorted((a, b) => compareResources(a.resource, b.resource));
  const order = setOrder();
  sorted.forEach((each, index) => digest.update((index === 0 ? '' : ',') + describeResource(each, order)));
  return digest.update(']}').digest('hex');
}

export function reportHash(report: Report): string {
  const { certname, puppet_version, report_format, configuration_version } = report;
  const { start_time, end_time, producer_timestamp, transaction_uuid } = report;
  return identityHash(
    canonicalJson({
      certname,
      puppet_version,
      report_format,
      configuration_version,
      start_time,
      end_time,
      producer_timestamp,
      transaction_uuid,
    }),
  );
}

/** Canonical JSON: the members are in order. */
function describeResource(
  { resource, parameters }: IdentifiedResource,
  order: (a: string, b: string) => number,
): string {
  const { type, title, tags, exported, file, line } = resource;
  const place = (file === null ? '' : `,"file":${quoted(file)}`) + (line === null ? '' : `,"line":${line}`);
  return (
    `{"exported":${exported}${place},"parameters":${parameters},` +
    `"tags":${canonicalJson([...new Set(tags)].toSorted(order))},"title":${quoted(title)},"type":${quoted(type)}}`
  );
}

function describeEdge({ source, target, relationship }: CatalogEdge): string {
  return (
    `{"relationship":${quoted(relationship)},"source":{"title":${quoted(source.title)},"type":${quoted(source.type)}},` +
    `"target":{"title":${quoted(target.title)},"type":${quoted(target.type)}}}`
  );
}

function comparePackages(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < a.length; index++) {
    const order = compareText(a[index] ?? '', b[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

function compareResources(a: CatalogResource, b: CatalogResource): number {
  return compareText(a.title, b.title) || compareText(a.type, b.type);
}

function compareEdges(a: CatalogEdge, b: CatalogEdge): number {
  return (
    compareText(a.source.title, b.source.title) ||
    compareText(a.source.type, b.source.type) ||
    compareText(a.target.title, b.target.title) ||
    compareText(a.target.type, b.target.type) ||
    compareText(a.relationship, b.relationship)
  );
}
