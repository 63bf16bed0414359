/** Collecting and evaluating in turn until nothing new comes. */

import { failure } from '../../catalog/index.ts';
import { BreakSignal } from '../../functions/index.ts';
import { LookupArgumentError } from '../../hiera/index.ts';
import { type Position, PuppetError } from '../../syntax/index.ts';
import type { Compiler } from '../compiler.ts';
import { isUnrescued, runtimeError } from '../evaluation-error.ts';
import { illegalJump } from '../runtime/illegal-jump.ts';
import { asArgumentError } from './argument-error.ts';
import { evaluateResource } from './evaluate-body.ts';

const MOST_ROUNDS = 1000;

/** @throws PuppetError when it does not end, or from what it evaluates */
export function evaluateGenerators(compiler: Compiler): void {
  for (let round = 0; round <= MOST_ROUNDS; round++) {
    const hasCollected = evaluateCollectors(compiler);
    const hasEvaluated = evaluateDefinitions(compiler);
    if (!hasCollected && !hasEvaluated) return;
  }
  throw failure(`Somehow looped more than ${MOST_ROUNDS} times while evaluating host catalog`);
}

function evaluateCollectors(compiler: Compiler): boolean {
  let foundSomething = false;
  for (const collector of Array.from(compiler.collectors)) if (collector.evaluate()) foundSomething = true;
  return foundSomething;
}

/** Defined types, and classes that were declared lazily. */
function evaluateDefinitions(compiler: Compiler): boolean {
  const waiting = compiler.waiting();
  for (const resource of waiting) {
    try {
      evaluateResource(resource);
    } catch (error) {
      if (error instanceof LookupArgumentError) throw asArgumentError(error);
      if (error instanceof PuppetError && !isUnrescued(error))
        throw runtimeError('Resource Statement', error, placeOf(resource));
      const illegal = illegalJump(error);
      if (illegal !== undefined && error instanceof BreakSignal)
        throw runtimeError('Object', failure(illegal.diagnostic.message), placeOf(illegal.diagnostic));
      if (illegal !== undefined) throw runtimeError('Resource Statement', illegal, placeOf(resource));
      throw error;
    }
  }
  return waiting.length > 0;
}

function placeOf({ file, line }: Place): Position {
  return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
}

interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}
