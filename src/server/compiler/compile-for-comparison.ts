/** Compiles a node's catalog to compare it with another: no agent gets it, and it is not stored. */

import { z } from 'zod';
import type { ReadableCatalog } from '../../language/catalog/index.ts';
import { ServiceError } from '../../lib/service-error.ts';
import {
  type CodeTerminus,
  type FactsTerminus,
  type NodeTerminus,
  versionFacts,
  type WorkerPool,
} from '../../services/compiler/index.ts';
import { serverFacts } from './server-facts.ts';

export interface ComparisonTermini {
  readonly pool: Pick<WorkerPool, 'compile'>;
  readonly code: CodeTerminus;
  readonly nodes: NodeTerminus;
  readonly findFacts: FactsTerminus['find'];
  /** What the node's certificate says. */
  readonly extensions: (certname: string) => Promise<Readonly<Record<string, string>>>;
  /** The name of this server. */
  readonly certname: string;
}

export interface ComparedNode {
  readonly certname: string;
  /** That of the node when absent. */
  readonly environment: string | undefined;
  /** What its agent asks for. */
  readonly usualEnvironment: string;
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
  return async ({ certname, environment: wanted, usualEnvironment }, signal) => {
    const facts = await termini.findFacts(certname, signal);
    if (facts === undefined)
      throw new ServiceError('not-found', `There are no facts of ${certname} to compile a catalog with`, {
        kind: 'bunraku.console/unknown-node',
      });
    const trusted = {
      authenticated: 'remote' as const,
      certname,
      extensions: await termini.extensions(certname),
      external: {},
    };
    const environment = wanted ?? usualEnvironment;
    const question = { certname, environment, facts, trusted: () => Promise.resolve(trusted) };
    const node = await termini.nodes.find(question, signal);
    if (node === undefined)
      throw new ServiceError('not-found', `Could not find node '${certname}'; cannot compile`, {
        kind: 'bunraku.console/unknown-node',
      });
    // A requested environment takes precedence over that of the classifier.
    const name = wanted ?? node.environment ?? environment;
    const code = termini.code.acquire(name);
    if (code === undefined)
      throw new ServiceError('not-found', `Could not find environment '${name}'`, {
        kind: 'bunraku.console/unknown-environment',
      });
    try {
      const { config } = code.source;
      const job = {
        certname,
        facts: facts.exactValues ?? facts.values,
        trusted,
        serverFacts: {
          ...versionFacts(config.settings),
          ...serverFacts(termini.certname),
          environment: config.name,
        },
        node: node.exact ?? node,
        format: 'json' as const,
        leastLevel: 'warning' as const,
        keeping: { knownContent: undefined },
      };
      const { kept: keeping } = await termini.pool.compile(code.source, job, signal);
      const kept = await keeping;
      if (kept?.content === undefined)
        throw new ServiceError('unavailable', 'The worker ended before the catalog could be compared');
      return {
        catalog: storedForm(certname, config.name, ContentWire.parse(JSON.parse(`{${kept.content}}`))),
        version: String(kept.version),
        codeId: kept.codeId,
        time: new Date(),
      };
    } finally {
      code.release();
    }
  };
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
