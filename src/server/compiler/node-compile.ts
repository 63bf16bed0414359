/** Compiles of a node outside of its runs: no agent gets them, and they are not stored. */

import { ServiceError } from '../../lib/service-error.ts';
import {
  type AcquiredCode,
  type CodeTerminus,
  type CompileJob,
  type FactsTerminus,
  type Node,
  type NodeTerminus,
  versionFacts,
} from '../../services/compiler/index.ts';
import { serverFacts } from './server-facts.ts';

export interface NodeCompileTermini {
  readonly code: CodeTerminus;
  readonly nodes: NodeTerminus;
  readonly findFacts: FactsTerminus['find'];
  /** Facts of the node's certificate. */
  readonly extensions: (certname: string) => Promise<Readonly<Record<string, string>>>;
  /** The name of this server. */
  readonly certname: string;
}

export interface ComparedNode {
  readonly certname: string;
  /** That of the node when absent. */
  readonly environment: string | undefined;
  /** The environment that its agent requests. */
  readonly usualEnvironment: string;
}

export interface PreparedCompile {
  readonly source: AcquiredCode['source'];
  readonly job: CompileJob;
  readonly node: Node;
}

/**
 * Gathers the inputs of a node's catalog: stored facts, classification, environment.
 *
 * @throws ServiceError `not-found` without facts or environment
 */
export async function withNodeCompile<T>(
  termini: NodeCompileTermini,
  { certname, environment: wanted, usualEnvironment }: ComparedNode,
  signal: AbortSignal,
  work: (prepared: PreparedCompile) => Promise<T>,
): Promise<T> {
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
    const job: CompileJob = {
      certname,
      facts: facts.exactValues ?? facts.values,
      trusted,
      serverFacts: {
        ...versionFacts(config.settings),
        ...serverFacts(termini.certname),
        environment: config.name,
      },
      node: node.exact ?? node,
      format: 'json',
      leastLevel: 'warning',
    };
    return await work({ source: code.source, job, node });
  } finally {
    code.release();
  }
}
