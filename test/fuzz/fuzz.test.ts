import { expect, test } from 'vitest';
import { type Finding, fuzz, type Parser } from './fuzz.ts';
import { parsers } from './parsers.ts';

/** A short slice of `run.ts`. */
const count = 300;

test.each(parsers.map((parser) => [parser.name, parser] as const))(
  'damaged input is refused properly: %s',
  async (_, parser) => {
    const { findings, figures } = await fuzz(parser, { count, seed: 1 });

    expect(findings).toEqual([]);
    expect(figures.inputs).toBeGreaterThan(count);
  },
);

test('a whole input of each parser is taken', async () => {
  const refused: Finding[] = [];
  for (const parser of parsers) {
    const { findings } = await fuzz(
      { ...parser, seeds: [parser.seeds[0]], refusals: [] },
      { count: 0, seed: 1 },
    );
    refused.push(...findings);
  }

  expect(refused).toEqual([]);
});

test('an error that is no refusal and an input that takes long are found', async () => {
  const broken: Parser = {
    name: 'broken',
    seeds: ['x'],
    words: ['y'],
    refusals: [SyntaxError],
    parse(input) {
      if (input.includes('y')) throw new TypeError('y');
      if (input.length === 0) work(60);
    },
  };

  const { findings } = await fuzz(broken, { count: 40, seed: 1 });

  expect(findings.some(({ problem }) => problem.startsWith('threw TypeError: y'))).toBe(true);
  expect(findings.some(({ problem }) => /^took \d+ ms$/.test(problem))).toBe(true);
});

/** Uses the processor for some time, however busy the machine is. */
function work(ms: number): void {
  const before = process.threadCpuUsage();
  let used = 0;
  while (used < ms * 1000) {
    const { system, user } = process.threadCpuUsage(before);
    used = system + user;
  }
}
