import type { AstNode } from '../../syntax/index.ts';
import { located } from '../evaluation-error.ts';
import type { Evaluate, LowerContext } from './lower-context.ts';

/** Gives errors without a place the place of `node`. */
export function guarded(evaluate: Evaluate, node: AstNode, { unit }: LowerContext): Evaluate {
  return (frame) => {
    try {
      return evaluate(frame);
    } catch (error) {
      throw located(error, node, unit);
    }
  };
}
