/** Compiles a node's catalog to compare it with another: no agent gets it, and it is not stored. */

import { z } from 'zod';
import type { ReadableCatalog } from '../../language/catalog/index.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { WorkerPool } from '../../services/compiler/index.ts';
import { type ComparedNode, type NodeCompileTermini, withNodeCompile } from './node-compile.ts';

export interface ComparisonTermini extends NodeCompileTermini {
  readonly pool: Pick<WorkerPool, 'compile'>;
}

export type CompileNode = (
  node: ComparedNode,
  signal: AbortSignal,
) => Promise<{
  readonly catalog: ReadableCatalog;
  readonly version: string;
  readonly codeId: string | null;
  readonly time: Date;
}>;

/** @returns catalogs in the form in which PuppetDB keeps them, so that one that is stored can stand beside them */
export function compileForComparison(termini: ComparisonTermini): CompileNode {
  return async (node, signal) =>
    await withNodeCompile(termini, node, signal, async ({ job, source }) => {
      const keeping = { knownContent: undefined };
      const { kept: keptLater } = await termini.pool.compile(source, { ...job, keeping }, signal);
      const kept = await keptLater;
      if (kept?.content === undefined)
        throw new ServiceError('unavailable', 'The worker ended before the catalog could be compared');
      const content = ContentWire.parse(JSON.parse(`{${kept.content}}`));
      return {
        catalog: storedForm(node.certname, source.config.name, content),
        version: String(kept.version),
        codeId: kept.codeId,
        time: new Date(),
      };
    });
}

interface StoredContent {
  readonly resources: readonly {
    readonly type: string;
    readonly title: string;
    readonly exported: boolean;
    readonly parameters: Readonly<Record<string, unknown>>;
  }[];
  readonly edges: readonly {
    readonly source: Reference;
    readonly target: Reference;
    readonly relationship: string;
  }[];
}

interface Reference {
  readonly type: string;
  readonly title: string;
}

const ReferenceWire = z.object({ type: z.string(), title: z.string() });
const ContentWire = z.object({
  resources: z.array(
    z.object({
      type: z.string(),
      title: z.string(),
      exported: z.boolean(),
      parameters: z.record(z.string(), z.unknown()),
    }),
  ),
  edges: z.array(z.object({ source: ReferenceWire, target: ReferenceWire, relationship: z.string() })),
});

/** A catalog as PuppetDB keeps it, ready to be compared. */
export function storedForm(
  certname: string,
  environment: string,
  { edges, resources }: StoredContent,
): ReadableCatalog {
  return {
    name: certname,
    environment,
    // They are resources, too.
    classes: [],
    resources: new Map(
      resources.map(({ exported, parameters, ...reference }) => [
        textOf(reference),
        { parameters, origin: {}, isExported: exported },
      ]),
    ),
    edges: new Set(
      edges.map(
        ({ relationship, source, target }) => `${textOf(source)} -> ${textOf(target)} (${relationship})`,
      ),
    ),
  };
}

function textOf({ title, type }: Reference): string {
  return `${type}[${title}]`;
}
