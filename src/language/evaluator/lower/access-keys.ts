/** The keys of `left[keys]`: flattened, and named in messages. */

import { DEFAULT, inferGeneric, isArray, type Value } from '../../pcore/index.ts';
import type { AccessExpression, Expression } from '../../syntax/index.ts';
import type { Frame } from '../runtime/frame.ts';
import type { LowerContext } from './lower-context.ts';

export interface AccessSite {
  readonly node: AccessExpression;
  readonly context: LowerContext;
  readonly frame: Frame;
}

export function flatten(values: readonly Value[]): readonly Value[] {
  return values.some(isArray)
    ? values.flatMap((value) => (isArray(value) ? flatten(value) : [value]))
    : values;
}

/** The node to blame for a key; keys that came out of a splat or an array have none of their own. */
export function keyNode({ node }: AccessSite, index: number): Expression | undefined {
  return node.keys[index];
}

/** What messages call a key of the wrong type. */
export function keyTypeName(key: Value): string {
  if (key === null) return 'Undef';
  return key === DEFAULT ? 'Default' : inferGeneric(key).toString();
}
