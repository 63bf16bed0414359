/** Expressions that have no value where they stand. */

import type { Expression, ReservedWord } from '../../syntax/index.ts';
import { aAnUpper, label } from '../../syntax/index.ts';
import { fail } from '../evaluation-error.ts';
import type { Evaluate, LowerContext } from './lower-context.ts';

export function lowerReservedWord(node: ReservedWord, context: LowerContext): Evaluate {
  if (node.future) return () => node.word;
  const text = `Use of reserved word: ${node.word}, must be quoted if intended to be a String value`;
  return () => fail('reserved_word', text, node, context);
}

export function refuseInPlace(node: Expression, context: LowerContext): Evaluate {
  const text = `Invalid use of expression. ${aAnUpper(label(node))} does not produce a value`;
  return () => fail('not_rvalue', text, node, context);
}
