import type { Expression } from '../../syntax/index.ts';
import type { Compiler } from '../compiler.ts';
import { positionOf } from '../evaluation-error.ts';
import type { LowerContext } from './lower-context.ts';

/** Says that exporting and collecting have no effect here. */
export function warnWithoutStore(
  message: string,
  node: Expression,
  { unit }: LowerContext,
  compiler: Compiler,
): void {
  if (compiler.request.termini.exportedResources === undefined)
    compiler.log('warning', message, positionOf(node, unit));
}
