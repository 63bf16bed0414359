/** `Integer`, `My::Alias`, `File`: upper-case names. */

import { checkType, TypeReferenceType, type Value } from '../../pcore/index.ts';
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
    if (type === undefined || type instanceof TypeReferenceType) {
      const name = type?.typeString ?? node.value;
      return fail('unknown_resource_type', `Resource type not found: ${name}`, node, context);
    }
    known = checkType(type);
    return known;
  };
  return guarded(evaluate, node, context);
}
