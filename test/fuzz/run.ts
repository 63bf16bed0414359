/**
 * Feeds damaged inputs to every parser that the network reaches.
 *
 * `node test/fuzz/run.ts [--count 1000000] [--seed 1] [--only NAME]`: prints a line for each parser, and each input that made one
 * throw anything but its refusal, or took it more than 50 ms. Such an input becomes a seed in the table once it is mended.
 */

import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzz } from './fuzz.ts';
import { parsers } from './parsers.ts';

const maxGrownBytes = 30_000_000;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

for (const parser of parsers.filter(({ name }) => name.includes(values.only))) {
  const { findings, figures } = await fuzz(parser, {
    count: Number(values.count),
    seed: Number(values.seed),
    collectGarbage,
  });
  const { grownBytes, inputs, refused, seconds, slowestMs } = figures;
  console.log(
    `${parser.name}: ${inputs} inputs, ${refused} refused, ${seconds.toFixed(1)} s, ` +
      `slowest ${slowestMs.toFixed(1)} ms, heap ${(grownBytes / 1e6).toFixed(1)} MB more, ${findings.length} findings`,
  );
  for (const { input, problem } of findings) console.log(`  ${problem}\n  input: ${input.slice(0, 2000)}`);
  if (findings.length > 0 || grownBytes > maxGrownBytes) process.exitCode = 1;
}
