/** The digests that the reference gives to what it keeps, so that clients know things by the same names. */

import { canonicalJson, compareText, identityHash } from '../canonical-json.ts';
import type { Catalog, CatalogEdge, CatalogResource, Facts, Report } from './wire.ts';

export function resourceHash({ type, title, parameters }: CatalogResource): string {
  return identityHash(canonicalJson([type, title, parameters]));
}

export function factsetHash({ certname, environment, values }: Facts): string {
  return identityHash(canonicalJson({ certname, environment, values }));
}

/**
 * Says whether a catalog is the one that is already there: its times and UUIDs do not count.
 *
 * The reference's digest is of the same, with tags in the order in which its runtime keeps sets; ours are sorted.
 */
export function catalogHash({ certname, resources, edges }: Catalog): string {
  return identityHash(
    canonicalJson({
      certname,
      resources: resources.toSorted(compareResources).map(describeResource),
      edges: edges.toSorted(compareEdges).map(({ source, target, relationship }) => ({
        source: { type: source.type, title: source.title },
        target: { type: target.type, title: target.title },
        relationship,
      })),
    }),
  );
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

function describeResource({ type, title, tags, exported, file, line, parameters }: CatalogResource): unknown {
  return {
    type,
    title,
    tags: tags.toSorted(compareText),
    exported,
    parameters,
    ...(file === null ? {} : { file }),
    ...(line === null ? {} : { line }),
  };
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
