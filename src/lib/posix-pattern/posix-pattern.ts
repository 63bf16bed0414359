/**
 * PostgreSQL's regular expressions, matched in linear time.
 *
 * JavaScript's own engine tries alternatives one after the other: `(.*a){25}$` takes it years. Here all alternatives
 * advance together, one character at a time, as a deterministic automaton that is built while texts are read.
 */

import { buildProgram, type Program, type Step } from './build-program.ts';
import { wordRanges } from './character-classes.ts';
import { parsePattern } from './parse-pattern.ts';
import type { Assertion, CharacterSet } from './pattern-node.ts';

/** What stands beside a position. */
type Neighbour = 'edge' | 'line-end' | 'word' | 'other';

/** All steps that may come next at one position. */
interface State {
  /** Sorted. */
  readonly steps: readonly number[];
  readonly before: Neighbour;
  readonly transitions: Map<number, State | 'matched'>;
  endsMatched: boolean | undefined;
}

/** Steps and transitions that one pattern keeps; when there are more, it begins anew. */
const maxKept = 20_000;

export class PosixPattern {
  private readonly program: Program;
  private readonly ignoresCase: boolean;
  private states = new Map<string, State>();
  private kept = 0;

  /** @throws PatternError in PostgreSQL's words */
  constructor(pattern: string) {
    const { root, ignoresCase } = parsePattern(pattern);
    this.program = buildProgram(root);
    this.ignoresCase = ignoresCase;
  }

  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean {
    let state = this.state([], 'edge');
    for (let index = 0; index < text.length; index++) {
      const code = text.codePointAt(index) ?? 0;
      if (code > 0xffff) index++;
      const next = state.transitions.get(code) ?? this.advance(state, code);
      if (next === 'matched') return true;
      state = next;
    }
    state.endsMatched ??= this.reached(state, 'edge') === 'matched';
    return state.endsMatched;
  }

  private state(steps: readonly number[], before: Neighbour): State {
    const key = `${before}:${steps.join(',')}`;
    const known = this.states.get(key);
    if (known !== undefined) return known;
    this.keep(steps.length + 1);
    const state: State = { steps, before, transitions: new Map(), endsMatched: undefined };
    this.states.set(key, state);
    return state;
  }

  private keep(count: number): void {
    this.kept += count;
    if (this.kept <= maxKept) return;
    this.kept = count;
    for (const state of this.states.values()) state.transitions.clear();
    this.states = new Map();
  }

  private advance(state: State, code: number): State | 'matched' {
    const reached = this.reached(state, neighbour(code));
    let next: State | 'matched' = 'matched';
    if (reached !== 'matched') {
      const steps = new Set<number>();
      for (const step of reached) {
        if (this.accepts(step.set, code)) steps.add(step.next);
      }
      next = this.state(
        [...steps].toSorted((a, b) => a - b),
        neighbour(code),
      );
    }
    this.keep(1);
    state.transitions.set(code, next);
    return next;
  }

  /** The sets that the next character may belong to, or that the pattern has matched already. */
  private reached(
    state: State,
    after: Neighbour,
  ): readonly Extract<Step, { readonly kind: 'set' }>[] | 'matched' {
    const { steps, start } = this.program;
    const sets: Extract<Step, { readonly kind: 'set' }>[] = [];
    const seen = new Set<number>();
    // A match may begin at every position.
    const pending = [start, ...state.steps];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      const step = steps[index];
      if (step === undefined || seen.has(index)) continue;
      seen.add(index);
      if (step.kind === 'match') return 'matched';
      if (step.kind === 'set') sets.push(step);
      else if (step.kind === 'split') pending.push(...step.next);
      else if (holds(step.assertion, state.before, after)) pending.push(step.next);
    }
    return sets;
  }

  private accepts(set: CharacterSet, code: number): boolean {
    if (!this.ignoresCase) return contains(set, code);
    const isWithin = [code, ...otherCases(code)].some((each) => isInRanges(set, each));
    return isWithin !== set.isNegated;
  }
}

function holds(assertion: Assertion, before: Neighbour, after: Neighbour): boolean {
  switch (assertion) {
    case 'start':
      return before === 'edge';
    case 'end':
      return after === 'edge';
    case 'line-start':
      return before === 'edge' || before === 'line-end';
    case 'line-end':
      return after === 'edge' || after === 'line-end';
    case 'word-start':
      return before !== 'word' && after === 'word';
    case 'word-end':
      return before === 'word' && after !== 'word';
    case 'word-edge':
      return (before === 'word') !== (after === 'word');
    case 'no-word-edge':
      return (before === 'word') === (after === 'word');
    default:
      return assertion satisfies never;
  }
}

const word: CharacterSet = { ranges: wordRanges, isNegated: false };

function neighbour(code: number): Neighbour {
  if (code === 0x0a) return 'line-end';
  return contains(word, code) ? 'word' : 'other';
}

function contains(set: CharacterSet, code: number): boolean {
  return isInRanges(set, code) !== set.isNegated;
}

function isInRanges({ ranges }: CharacterSet, code: number): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to);
}

function otherCases(code: number): readonly number[] {
  const character = String.fromCodePoint(code);
  return [character.toLowerCase(), character.toUpperCase()].map((each) => each.codePointAt(0) ?? code);
}
