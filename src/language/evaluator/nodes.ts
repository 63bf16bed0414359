/** Which node definition is meant for a node. */

import { failure } from '../catalog/index.ts';
import { type Found, nodeNameOfExpression } from '../environment/index.ts';
import type { Expression, NodeDefinition } from '../syntax/index.ts';
import { nodeDefinitionsOf } from './calls/manifest-block.ts';
import type { Compiler } from './compiler.ts';
import type { LoweredBody } from './definitions/lowered-body.ts';
import type { MatchGroups } from './runtime/frame.ts';

export interface FoundNode {
  readonly body: LoweredBody;
  readonly match: MatchGroups | undefined;
}

/**
 * The definition by name, else the first whose expression matches, else the default.
 *
 * @returns `undefined` when there are no node definitions at all
 * @throws PuppetError when there are some, but none for this node
 */
export function findNode(compiler: Compiler): FoundNode | undefined {
  const { block } = compiler.request;
  const definitions =
    block === undefined
      ? compiler.environment.nodeDefinitions()
      : nodeDefinitionsOf(block).map((definition) => ({
          definition,
          program: block.program,
          module: undefined,
        }));
  if (definitions.length === 0) return undefined;
  const certname = compiler.request.certname.toLowerCase();
  const found =
    byName(definitions, certname, compiler) ??
    byExpression(definitions, certname, compiler) ??
    byDefault(definitions, compiler);
  if (found !== undefined) return found;
  throw failure(`Could not find node statement with name 'default' or '${compiler.request.certname}'`);
}

type Definitions = readonly Found<NodeDefinition>[];

function byName(definitions: Definitions, certname: string, compiler: Compiler): FoundNode | undefined {
  for (const found of definitions) {
    for (const match of found.definition.hostMatches) {
      if (nameOf(match) === certname) return { body: compiler.code.node(found, certname), match: undefined };
    }
  }
  return undefined;
}

function byExpression(definitions: Definitions, certname: string, compiler: Compiler): FoundNode | undefined {
  for (const found of definitions) {
    for (const expression of found.definition.hostMatches) {
      if (expression.kind !== 'LiteralRegularExpression') continue;
      const match = compiler.code.nodePattern(expression).exec(certname);
      if (match !== null)
        return {
          body: compiler.code.node(found, nodeNameOfExpression(expression.source, compiler.settings.level)),
          match,
        };
    }
  }
  return undefined;
}

function byDefault(definitions: Definitions, compiler: Compiler): FoundNode | undefined {
  for (const found of definitions) {
    const isDefault = found.definition.hostMatches.some(({ kind }) => kind === 'LiteralDefault');
    if (isDefault) return { body: compiler.code.node(found, 'default'), match: undefined };
  }
  return undefined;
}

function nameOf(match: Expression): string | undefined {
  return match.kind === 'LiteralString' ? match.value.toLowerCase() : undefined;
}
