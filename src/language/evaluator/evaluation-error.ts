/** Turning a mistake into the error that a user sees: with its position and what was being evaluated. */

import { failure } from '../catalog/index.ts';
import { BreakSignal } from '../functions/index.ts';
import { LookupError } from '../hiera/index.ts';
import { type AstNode, aAn, label, type Position, PuppetError, renderPosition } from '../syntax/index.ts';
import type { LowerContext } from './lower/lower-context.ts';
import type { Unit } from './runtime/unit.ts';

/** Where the reference points for a node: at the operator of a binary expression, else at its start. */
export function offsetOf(node: AstNode): number {
  return 'operatorOffset' in node ? node.operatorOffset : node.offset;
}

export function positionOf(node: AstNode, unit: Unit): Position {
  return unit.positionOf(offsetOf(node));
}

/** An error of the evaluation with its place. @param code - the reference's issue code, lower case */
export function evaluationError(
  code: string,
  message: string,
  position: Position,
  cause?: unknown,
): PuppetError {
  return new PuppetError(
    { code, severity: 'error', message: `Evaluation Error: ${message}`, ...position },
    cause === undefined ? {} : { cause },
  );
}

/** The reference blames a node that is not there, such as the second of the keys in `'abc'[[1, 'x']]`. */
class NowhereError extends PuppetError {}

/** Ends the evaluation with a fault of `node`; without a node the message has no position. */
export function fail(
  code: string,
  message: string,
  node: AstNode | undefined,
  { unit }: LowerContext,
): never {
  if (node === undefined) {
    throw new NowhereError({ code, severity: 'error', message: `Evaluation Error: ${message}` });
  }
  throw evaluationError(code, message, positionOf(node, unit));
}

/**
 * What to throw on for an error that came up while `node` was evaluated: one without a place gets that of the
 * node; everything else (with a place already, signals, bugs) stays as it is.
 */
export function located(error: unknown, node: AstNode, unit: Unit): unknown {
  if (!(error instanceof PuppetError) || error instanceof LookupError || hasPlace(error)) return error;
  const { code, message } = error.diagnostic;
  if (COMPLETE.has(code)) return evaluationError(code, message, positionOf(node, unit), error);
  return runtimeError(label(node), error, positionOf(node, unit));
}

/** Issues whose text says it all. */
const COMPLETE: ReadonlySet<string> = new Set(['discontinued_import']);

/** `Error while evaluating a Resource Statement, ...` */
export function runtimeError(label: string, error: PuppetError, position: Position): PuppetError {
  const text = `Error while evaluating ${aAn(label)}, ${error.message}`;
  return evaluationError('runtime_error', text, position, error);
}

const UNEVALUATED = 'unevaluated_parameter';

/** A default reads a parameter that has no value yet: the place is that of the call or declaration. */
export function unevaluated(message: string): PuppetError {
  return new PuppetError({ code: UNEVALUATED, severity: 'error', message });
}

/**
 * Fills in what an error lacks of a place, as the reference does for the defaults of parameters (`exceptwrap`).
 *
 * @param place - the file and line of the definition
 * @returns what to throw: signals, bugs and errors with a file and a line stay as they are
 */
export function withMissingPlace(error: unknown, place: Position): unknown {
  if (error instanceof BreakSignal) {
    const jump = 'Puppet::Pops::Evaluator::PuppetStopIteration';
    return failure(`Puppet::Resource::Type failed with error ${jump}: ${jump}${renderPosition(place)}`);
  }
  if (!(error instanceof PuppetError) || isUnrescued(error)) return error;
  const { diagnostic } = error;
  if (diagnostic.code === UNEVALUATED) return error;
  const hasFile = (diagnostic.file ?? '') !== '';
  if (hasFile && diagnostic.line !== undefined) return error;
  const position = {
    ...place,
    ...diagnostic,
    ...(hasFile || place.file === undefined ? {} : { file: place.file }),
  };
  return error instanceof LookupError ? error.at(position) : new PuppetError(position, { cause: error });
}

const STACK_TOO_DEEP = 'stack_level_too_deep';

/** Endless recursion. No position is given: it would be somewhere in the middle. */
export function stackTooDeep(): PuppetError {
  return new PuppetError({ code: STACK_TOO_DEEP, severity: 'error', message: 'stack level too deep' });
}

/** Code in Ruby failed with an error outside of StandardError, such as a mistake in its syntax or a library that is missing. */
export const OUTSIDE_STANDARD_ERROR = 'outside_standard_error';

/** Whether the reference lets an error pass everything that adds a place or what was being evaluated. */
export function isUnrescued({ diagnostic }: PuppetError): boolean {
  return diagnostic.code === STACK_TOO_DEEP || diagnostic.code === OUTSIDE_STANDARD_ERROR;
}

/** Whether an error is to be passed on as it is. */
export function hasPlace(error: PuppetError): boolean {
  const { file, line } = error.diagnostic;
  return (
    error instanceof NowhereError ||
    isUnrescued(error) ||
    line !== undefined ||
    (file !== undefined && file !== '')
  );
}
