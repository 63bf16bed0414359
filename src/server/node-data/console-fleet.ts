/** Queries of the console to PuppetDB about facts, events, packages and catalogs. */

import { z } from 'zod';
import type { PuppetDbTerminus } from '../../services/compiler/index.ts';
import type { FleetSource } from '../../services/console/index.ts';
import { type CompileNode, storedForm } from '../compiler/compile-for-comparison.ts';

/**
 * @param compile - makes a catalog that is not kept
 * @param rowsInParts - as of the source
 */
export function consoleFleet(
  puppetDb: PuppetDbTerminus,
  compile: CompileNode,
  rowsInParts: FleetSource['rowsInParts'],
): FleetSource {
  const ask = async <T>(shape: z.ZodType<T>, query: readonly unknown[], signal: AbortSignal) =>
    shape.parse(JSON.parse(await puppetDb.query(JSON.stringify(query), signal)));
  return {
    rows: (query, signal) => ask(RowsWire, query, signal),
    rowsInParts,
    async compileCatalog(certname, environment, signal) {
      const usualEnvironment = await findUsualEnvironment(puppetDb, certname, signal);
      return await compile({ certname, environment, usualEnvironment }, signal);
    },
    async storedCatalog(certname, signal) {
      const isOfNode = ['=', 'certname', certname];
      const query = ['from', 'catalogs', ['extract', [...catalogFields], isOfNode]];
      const [[catalog], resources, edges] = await Promise.all([
        ask(CatalogsWire, query, signal),
        ask(ResourcesWire, ['from', 'resources', ['extract', [...resourceFields], isOfNode]], signal),
        ask(EdgesWire, ['from', 'edges', ['extract', [...edgeFields], isOfNode]], signal),
      ]);
      if (catalog === undefined) return undefined;
      return {
        catalog: storedForm(certname, catalog.environment ?? '', {
          resources,
          edges: edges.map((edge) => ({
            source: { type: edge.source_type, title: edge.source_title },
            target: { type: edge.target_type, title: edge.target_title },
            relationship: edge.relationship,
          })),
        }),
        version: catalog.version,
        codeId: catalog.code_id,
        time: new Date(catalog.producer_timestamp),
      };
    },
  };
}

/** The environment of the last runs of a node. */
export async function findUsualEnvironment(
  puppetDb: PuppetDbTerminus,
  certname: string,
  signal: AbortSignal,
): Promise<string> {
  const query = ['from', 'nodes', ['extract', [...nodeFields], ['=', 'certname', certname]]];
  const [node] = NodesWire.parse(JSON.parse(await puppetDb.query(JSON.stringify(query), signal)));
  return node?.catalog_environment ?? node?.report_environment ?? 'production';
}

const RowsWire = z.array(z.record(z.string(), z.unknown()));

const nodeFields = ['catalog_environment', 'report_environment'] as const;
const NodesWire = z.array(
  z.object({ catalog_environment: z.string().nullable(), report_environment: z.string().nullable() }),
);

const catalogFields = ['version', 'environment', 'code_id', 'producer_timestamp'] as const;
const CatalogsWire = z.array(
  z.object({
    version: z.string(),
    environment: z.string().nullable(),
    code_id: z.string().nullable(),
    producer_timestamp: z.string(),
  }),
);

const resourceFields = ['type', 'title', 'exported', 'parameters'] as const;
const ResourcesWire = z.array(
  z.object({
    type: z.string(),
    title: z.string(),
    exported: z.boolean(),
    parameters: z.record(z.string(), z.unknown()),
  }),
);

const edgeFields = ['source_type', 'source_title', 'target_type', 'target_title', 'relationship'] as const;
const EdgesWire = z.array(
  z.object({
    source_type: z.string(),
    source_title: z.string(),
    target_type: z.string(),
    target_title: z.string(),
    relationship: z.string(),
  }),
);
