/** Compiles a node's catalog to explain it. */

import type { ExplainQuestion } from '../../language/evaluator/index.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { EnvironmentSource, WorkerPool } from '../../services/compiler/index.ts';
import type { CompileAnswer } from '../../services/console/index.ts';
import {
  type ComparedNode,
  type NodeCompileTermini,
  type PreparedCompile,
  withNodeCompile,
} from './node-compile.ts';

export interface ExplainTermini extends NodeCompileTermini {
  readonly pool: Pick<WorkerPool, 'ask' | 'forget'>;
}

export type ExplainNode = (
  node: ComparedNode,
  question: ExplainQuestion,
  signal: AbortSignal,
) => Promise<CompileAnswer>;

/** Data can be looked up where the code does not compile: then the manifests and the node's classes are left out. */
export function explainCompile(termini: ExplainTermini): ExplainNode {
  return async (node, question, signal) =>
    await withNodeCompile(termini, node, signal, async (prepared) => {
      try {
        return await ask(termini, prepared, question, signal);
      } catch (error) {
        const isOfData = question.kind !== 'resource';
        if (!isOfData || !(error instanceof ServiceError) || error.reason !== 'compile-failed') throw error;
        const without = withoutManifests(prepared);
        try {
          const answer = await ask(termini, without, question, signal);
          return { ...answer, problem: error.message };
        } finally {
          termini.pool.forget(without.source.key);
        }
      }
    });
}

async function ask(
  { pool }: ExplainTermini,
  { job, source }: PreparedCompile,
  explain: ExplainQuestion,
  signal: AbortSignal,
): Promise<CompileAnswer> {
  const { explained } = await pool.ask(source, job, { kind: 'explain', explain }, signal);
  if (explained === undefined) throw new Error('a compile has not answered the question why');
  const { codeId, name } = source.config;
  return { explained, environment: name, codeId, problem: undefined };
}

function withoutManifests({ job, node, source }: PreparedCompile): PreparedCompile {
  const withoutCode: EnvironmentSource = {
    ...source,
    key: `${source.key} without manifests`,
    config: { ...source.config, code: 'undef' },
  };
  const withoutClasses = { ...node, exact: undefined, classes: {} };
  return { source: withoutCode, job: { ...job, node: withoutClasses }, node };
}
