/** Turns a parsed pattern into a nondeterministic automaton. */

import { PatternError } from './pattern-error.ts';
import type { Assertion, CharacterSet, PatternNode } from './pattern-node.ts';

/** One step; numbers are indexes of steps. */
export type Step =
  | { readonly kind: 'set'; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: 'assertion'; readonly assertion: Assertion; readonly next: number }
  | { readonly kind: 'split'; readonly next: readonly number[] }
  | { readonly kind: 'match' };

export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
}

/** `(.{255}){15}` has about as many. What one character of a text costs at most grows with it. */
const maxSteps = 4000;
/** Counts that repeat nothing add no steps, but take time. */
const maxVisits = 50_000;

/** @throws PatternError when the automaton would be too large */
export function buildProgram(root: PatternNode): Program {
  const builder = new Builder();
  const start = builder.add(root, builder.step({ kind: 'match' }));
  return { steps: builder.steps, start };
}

class Builder {
  readonly steps: Step[] = [];
  private visits = 0;

  step(step: Step): number {
    if (this.steps.length >= maxSteps) throw tooComplex();
    return this.steps.push(step) - 1;
  }

  /** Built from the end: `next` comes after `node`. @returns where `node` begins */
  add(node: PatternNode, next: number): number {
    this.visits++;
    if (this.visits > maxVisits) throw tooComplex();
    switch (node.kind) {
      case 'set':
        return this.step({ kind: 'set', set: node.set, next });
      case 'assertion':
        return this.step({ kind: 'assertion', assertion: node.assertion, next });
      case 'sequence':
        return node.nodes.reduceRight((after, each) => this.add(each, after), next);
      case 'choice':
        return this.step({ kind: 'split', next: node.branches.map((branch) => this.add(branch, next)) });
      case 'repeat':
        return this.repeat(node, next);
      default:
        return node satisfies never;
    }
  }

  private repeat(
    { node, min, max }: Extract<PatternNode, { readonly kind: 'repeat' }>,
    next: number,
  ): number {
    let start = next;
    if (max === Number.POSITIVE_INFINITY) {
      const again: number[] = [next];
      start = this.step({ kind: 'split', next: again });
      again.push(this.add(node, start));
    } else {
      for (let count = min; count < max; count++) {
        start = this.step({ kind: 'split', next: [next, this.add(node, start)] });
      }
    }
    for (let count = 0; count < min; count++) start = this.add(node, start);
    return start;
  }
}

function tooComplex(): PatternError {
  return new PatternError('regular expression is too complex');
}
