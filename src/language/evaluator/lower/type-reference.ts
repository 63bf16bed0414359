/** `Integer`, `My::Alias`, `File`: upper-case names. */

import { AliasType, ObjectType, type PuppetType, type Value } from '../../pcore/index.ts';
import type { QualifiedReference } from '../../syntax/index.ts';
import { typesOf } from '../definitions/type-names.ts';
import { fail } from '../evaluation-error.ts';
import { guarded } from './guarded.ts';
import type { Evaluate, LowerContext } from './lower-context.ts';

/** Found once: what a name means does not change while a version of an environment lives. */
export function lowerTypeReference(node: QualifiedReference, context: LowerContext): Evaluate {
  let known: Value | undefined;
  const evaluate: Evaluate = (frame) => {
    if (known !== undefined) return known;
    const type = frame.scope.compiler.environment.attached(typesOf).find(node.value);
    if (type === undefined) {
      return fail('unknown_resource_type', `Resource type not found: ${node.value}`, node, context);
    }
    // What is wrong with its definition comes to light where it is named.
    resolveNow(type);
    known = type;
    return type;
  };
  return guarded(evaluate, node, context);
}

/** Both read their definition when they are first asked for it. */
function resolveNow(type: PuppetType): unknown {
  if (type instanceof AliasType) return type.resolved;
  return type instanceof ObjectType && type !== ObjectType.DEFAULT ? type.definition : type;
}
