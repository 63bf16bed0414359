/**
 * Evaluates the expressions of expressions.txt and ../recorded/ruby/expressions.txt in the machine's Ruby and in the built-in one,
 * and compares texts and messages. A difference fails the run.
 *
 *   node test/ruby/compare-rubies.ts
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  DEFAULT_COMMANDS,
  OwnRubyImages,
  type Ruby,
  RubyDied,
  RubyError,
  type RubyPeer,
} from '../../src/platform/ruby/index.ts';
import { startedRuby } from '../support/started-ruby.ts';

/** Known to differ. */
const KNOWN = [
  // Since 3.4 the point may stand at the end of the number.
  '"1.e3".to_f',
  // The library for JSON that comes with Ruby, in a later version: exponents, the last line of an empty text, a message.
  'JSON.generate(1.0e+20)',
  "JSON.pretty_generate({ 'a' => [1, { 'x' => 2 }] }, { :object_nl => '', :space_before => ' ' })",
  "JSON.pretty_generate({ 'a' => [1, { 'x' => 2 }] }, { :array_nl => '' })",
  "JSON.pretty_generate({ 'a' => { 'b' => { 'c' => 1 } } }, { :max_nesting => 2 })",
];

/** An empty place. */
const peer: RubyPeer = {
  answer: (question) => {
    if (question === 'variables') return '{}';
    if (question === 'lookupvar') return '[false,null]';
    if (question === 'log') return 'null';
    throw new Error(`unknown question ${question}`);
  },
  refuse: (error) => JSON.stringify(['Puppet::ParseError', String(error), 1, null]).slice(1, -1),
};

const images = new OwnRubyImages();
const machine = startedRuby(DEFAULT_COMMANDS, images);
const builtIn = startedRuby([], images);
console.log(`${machine.identity.description}\n${builtIn.identity.description}`);

const counts = { equal: 0, sameError: 0, different: 0 };
for (const [index, line] of expressions().entries()) compare(line, index);
machine.close();
builtIn.close();
console.log(
  `expressions: ${counts.equal} equal, ${counts.sameError} with the same error, ${counts.different} different`,
);
process.exitCode = counts.different > 0 || counts.equal === 0 ? 1 : 0;

/** Lines that are no comments. */
function expressions(): readonly string[] {
  return ['expressions.txt', '../recorded/ruby/expressions.txt']
    .flatMap((name) => readFileSync(path.join(import.meta.dirname, name), 'utf8').split('\n'))
    .filter((line) => line !== '' && !line.startsWith('# ') && !KNOWN.includes(line));
}

function compare(expression: string, id: number): void {
  const [left, right] = [evaluate(machine, expression, id), evaluate(builtIn, expression, id)];
  if (left.text === right.text && left.error === right.error) {
    counts[left.error === undefined ? 'equal' : 'sameError'] += 1;
    return;
  }
  counts.different += 1;
  console.log(`DIFFERENT ${expression}\n  machine  ${told(left)}\n  built-in ${told(right)}`);
}

interface Outcome {
  readonly text?: string;
  readonly error?: string;
}

/** As templates are. */
function evaluate(ruby: Ruby, expression: string, id: number): Outcome {
  const text = JSON.stringify(`<%= (${expression}).inspect %>`);
  try {
    ruby.call(`"template",1,1,1,${id},null,${text}`, peer);
    return { text: String(ruby.call(`"render",1,1,1,${id},null,{}`, peer)) };
  } catch (error) {
    if (error instanceof RubyDied)
      throw new Error(`${ruby.identity.layer} ended: ${expression}`, { cause: error });
    if (!(error instanceof RubyError)) throw error;
    // Objects without a text of their own are printed with where they are.
    return { error: error.message.replaceAll(/0x[0-9a-f]{8,16}/g, '0x...') };
  }
}

function told({ error, text }: Outcome): string {
  return JSON.stringify(text ?? `error: ${error}`);
}
