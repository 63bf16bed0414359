/** The block of `apply()` in a plan: code for a catalog, with the variables that the plan has at that place. */

import type { Lambda } from '../../functions/index.ts';
import type { Value } from '../../pcore/index.ts';
import type { LambdaExpression, NodeDefinition, Program, SourceText } from '../../syntax/index.ts';
import { PuppetLambda } from './puppet-lambda.ts';

export interface ManifestBlock {
  /** The same object each time that the same code is applied. */
  readonly program: Program;
  /** Local and outer variables, undef included. */
  readonly variables: ReadonlyMap<string, Value>;
}

/** @returns `undefined` for a block that is no code in the Puppet language */
export function manifestBlock(lambda: Lambda): ManifestBlock | undefined {
  if (!(lambda instanceof PuppetLambda)) return undefined;
  const { node, source } = lambda;
  return { program: programOf(node, source), variables: lambda.visibleVariables() };
}

/** Node definitions count only at the top of the block, as in the reference. */
export function nodeDefinitionsOf({ program }: ManifestBlock): readonly NodeDefinition[] {
  return program.definitions.filter((definition) => definition.kind === 'NodeDefinition');
}

const programs = new WeakMap<LambdaExpression, Program>();

function programOf(node: LambdaExpression, source: SourceText): Program {
  const known = programs.get(node);
  if (known !== undefined) return known;
  const { body, length, offset } = node;
  const statements = body.kind === 'BlockExpression' ? body.statements : [body];
  const definitions = statements.filter((statement) => statement.kind === 'NodeDefinition');
  const program: Program = { kind: 'Program', offset, length, body, definitions, source, warnings: [] };
  programs.set(node, program);
  return program;
}
