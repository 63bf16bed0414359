/**
 * Evaluates the expressions of test/recorded/ruby/expressions.txt here and in Ruby, and compares what `inspect` says.
 *
 *   node test/ruby/compare-expressions.ts [--verbose] [--record]
 *
 * `--record` keeps Ruby's answers for the unit tests.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ErbTemplates } from '../../src/language/ruby/index.ts';
import { nowhere } from '../../src/language/ruby/nowhere.ts';
import { prismFiles, RubyParser } from '../../src/lib/ruby-syntax/index.ts';

interface Answer {
  readonly text?: string;
  readonly error?: string;
}

const recorded = path.join(import.meta.dirname, '../recorded/ruby');
const parser = new RubyParser(prismFiles());
const templates = new ErbTemplates((source) => parser.parse(source));
const lines = readFileSync(path.join(recorded, 'expressions.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '));
const { stdout } = spawnSync('ruby', [path.join(recorded, 'evaluate-expressions.rb')], {
  input: lines.join('\n'),
  encoding: 'utf8',
  env: { ...process.env, LC_ALL: 'C.UTF-8' },
});
const answers = stdout
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Answer);

if (process.argv.includes('--record')) record();

const counts = { equal: 0, givenUp: 0, sameError: 0, different: 0 };
for (const [index, line] of lines.entries()) compare(line, answers[index] ?? {});
console.log(
  `${lines.length} expressions: ${counts.equal} equal, ${counts.sameError} with the same error, ` +
    `${counts.givenUp} given up, ${counts.different} different`,
);
process.exitCode = counts.different > 0 ? 1 : 0;

/** One line for each expression: the expression, what it gives, and the first line of its error. */
function record(): void {
  const rows = lines.map((line, index) => {
    const { error, text } = answers[index] ?? {};
    return JSON.stringify([line, text ?? null, error?.split('\n')[0] ?? null]);
  });
  writeFileSync(path.join(recorded, 'expressions.json'), `[\n${rows.join(',\n')}\n]\n`);
}

function compare(line: string, answer: Answer): void {
  const ours = templates.render(`<%= (${line}).inspect %>`, nowhere);
  if (ours.kind === 'given-up') {
    counts.givenUp += 1;
    if (process.argv.includes('--verbose')) console.log(`given up: ${line}: ${ours.reason}`);
  } else if (ours.kind === 'rendered' && ours.text === answer.text) counts.equal += 1;
  else if (ours.kind === 'failed' && answer.error?.split('\n')[0] === ours.message) counts.sameError += 1;
  else {
    counts.different += 1;
    console.log(`DIFFERENT ${line}\n  here ${JSON.stringify(ours)}\n  Ruby ${JSON.stringify(answer)}`);
  }
}
