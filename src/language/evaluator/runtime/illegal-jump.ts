/** Errors for `break()`, `next()` and `return()` with nothing around them that they could end. */

import { failure } from '../../catalog/index.ts';
import { BreakSignal } from '../../functions/index.ts';
import { PuppetError } from '../../syntax/index.ts';
import { NextSignal, ReturnSignal } from './control-flow.ts';

/** The error at the place of the call; `undefined` for anything else that was thrown. */
export function illegalJump(thrown: unknown): PuppetError | undefined {
  const name = nameOf(thrown);
  if (name === undefined) return undefined;
  const { file, line } = (thrown as BreakSignal | NextSignal | ReturnSignal).position;
  const error = failure(`${name}() from context where this is illegal`);
  return new PuppetError({
    ...error.diagnostic,
    file: file === undefined || file === '' ? 'unknown' : file,
    ...(line === undefined ? {} : { line }),
  });
}

function nameOf(thrown: unknown): string | undefined {
  if (thrown instanceof BreakSignal) return 'break';
  if (thrown instanceof NextSignal) return 'next';
  return thrown instanceof ReturnSignal ? 'return' : undefined;
}
