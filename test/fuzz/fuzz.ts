/** Feeds damaged inputs to a parser and judges what it does. */

import { exhaustionOf } from '../../src/lib/exhaustion.ts';
import { mutate, type Words } from './mutate.ts';
import { mutateJson } from './mutate-json.ts';
import { Random } from './random.ts';

/** The class of an error by which a parser refuses its input. */
export type Refusal = abstract new (...args: never[]) => Error;

export interface Parser {
  readonly name: string;
  /** Valid inputs, and inputs that were handled wrongly once. */
  readonly seeds: readonly [string | Buffer, ...(string | Buffer)[]];
  readonly words: Words;
  /** Whether the seeds are JSON: half of the inputs are damaged in what it says, not in how it is written. */
  readonly isJson?: boolean;
  readonly refusals: readonly Refusal[];
  readonly parse: (input: Buffer) => unknown;
}

export interface Finding {
  readonly parser: string;
  readonly problem: string;
  /** As base64. */
  readonly input: string;
}

export interface Figures {
  readonly inputs: number;
  readonly refused: number;
  readonly seconds: number;
  /** The slowest input, in ms of processor time. */
  readonly slowestMs: number;
  /** What the heap has grown by after the first tenth, in bytes. */
  readonly grownBytes: number;
}

/** More stops other requests noticeably. */
const maxMs = 50;
const mostFindings = 10;

export interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  /** Frees what can be freed; the heap is not measured without. */
  readonly collectGarbage?: () => void;
}

/** Reports the first input of each mistake. Whole seeds come first, then `count` damaged ones, the same for the same seed of the random numbers. */
export async function fuzz(
  parser: Parser,
  { collectGarbage, count, seed }: FuzzOptions,
): Promise<{ readonly findings: readonly Finding[]; readonly figures: Figures }> {
  const [first, ...others] = parser.seeds.map((each) => Buffer.from(each));
  const seeds = [first ?? Buffer.alloc(0), ...others] as const;
  const random = new Random(seed);
  const findings = new Map<string, Finding>();
  const add = (input: Buffer, kind: string, problem: string) => {
    if (!findings.has(kind))
      findings.set(kind, { parser: parser.name, problem, input: input.toString('base64') });
  };
  const startedMs = performance.now();
  let [refused, slowestMs, heapBytes] = [0, 0, 0];
  for (let index = 0; index < seeds.length + count && findings.size < mostFindings; index += 1) {
    const input = seeds[index] ?? damaged(parser, seeds, random);
    const { ms, outcome } = await tried(parser, input);
    if (outcome === 'refused') refused += 1;
    else if (outcome !== 'taken') add(input, placeOf(outcome), outcome);
    if (ms > Math.max(maxMs, slowestMs)) {
      findings.delete('slow');
      add(input, 'slow', `took ${Math.round(ms)} ms`);
    }
    slowestMs = Math.max(slowestMs, ms);
    if (index === Math.floor(count / 10)) heapBytes = heapUsed(collectGarbage);
  }
  const grownBytes = heapUsed(collectGarbage) - heapBytes;
  const seconds = (performance.now() - startedMs) / 1000;
  return {
    findings: [...findings.values()],
    figures: { inputs: seeds.length + count, refused, seconds, slowestMs, grownBytes },
  };
}

/** One damaged input. */
export function damaged(parser: Parser, seeds: readonly [Buffer, ...Buffer[]], random: Random): Buffer {
  if (parser.isJson !== true || random.below(2) === 0) return mutate(seeds, parser.words, random);
  return Buffer.from(mutateJson(random.of(seeds).toString(), random));
}

/** Where an error came from: a hundred inputs that meet the same mistake are one finding. */
function placeOf(stack: string): string {
  return /\n\s+at .*?\((?:file:\/\/)?\/.*\)/.exec(stack)?.[0] ?? stack;
}

/** Slow ones are tried again: another program or a garbage collection may have come between. */
async function tried(
  parser: Parser,
  input: Buffer,
): Promise<{ readonly ms: number; readonly outcome: string }> {
  const startedMs = performance.now();
  const outcome = await outcomeOf(parser, input);
  let ms = performance.now() - startedMs;
  for (let tries = 0; ms > maxMs && tries < 3; tries += 1) {
    const before = process.threadCpuUsage();
    await outcomeOf(parser, input);
    const { system, user } = process.threadCpuUsage(before);
    ms = Math.min(ms, (user + system) / 1000);
  }
  return { ms, outcome };
}

async function outcomeOf({ parse, refusals }: Parser, input: Buffer): Promise<string> {
  try {
    const parsed = parse(input);
    if (parsed instanceof Promise) await parsed;
    return 'taken';
  } catch (error) {
    // The server answers 400 to what is nested beyond the stack.
    if (exhaustionOf(error) === 'stack' || refusals.some((refusal) => error instanceof refusal))
      return 'refused';
    return `threw ${error instanceof Error ? error.stack : String(error)}`;
  }
}

function heapUsed(collectGarbage: (() => void) | undefined): number {
  collectGarbage?.();
  return collectGarbage === undefined ? 0 : process.memoryUsage().heapUsed;
}
