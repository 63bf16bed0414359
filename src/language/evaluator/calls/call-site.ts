import type { CallMethodExpression, CallNamedFunctionExpression, Position } from '../../syntax/index.ts';
import { positionOf } from '../evaluation-error.ts';
import type { Frame } from '../runtime/frame.ts';
import type { Unit } from '../runtime/unit.ts';

/** Where a call stands, and with which variables around it. */
export interface CallSite {
  readonly frame: Frame;
  readonly node: CallNamedFunctionExpression | CallMethodExpression;
  readonly unit: Unit;
}

export function callPosition({ node, unit }: CallSite): Position {
  return positionOf(node, unit);
}
