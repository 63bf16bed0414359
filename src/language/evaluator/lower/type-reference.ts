/** `Integer`, `My::Alias`, `File`: upper-case names. */

import { checkType, ResourceType, TypeReferenceType, type Value } from '../../pcore/index.ts';
import type { QualifiedReference } from '../../syntax/index.ts';
import type { Compiler } from '../compiler.ts';
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
    if (type instanceof ResourceType) prepareDefine(node.value, frame.scope.compiler);
    known = checkType(type);
    return known;
  };
  return guarded(evaluate, node, context);
}

/** Naming a definition loads it with the types of its parameters, which may be wrong. */
function prepareDefine(name: string, { code, environment, topScope }: Compiler): void {
  const isNative =
    !name.includes(':') &&
    (environment.findResourceType(name) !== undefined || environment.rubyTypeFile(name) !== undefined);
  if (!isNative) code.findDefine(name)?.prepare(topScope.frame);
}
