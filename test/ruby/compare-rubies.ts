/**
 * Renders every ERB template of the installed modules with generated variables in the machine's Ruby and in the
 * built-in one, evaluates the expressions of expressions.txt and ../erb/expressions.txt in both, and compares texts and
 * messages.
 *
 *   node test/ruby/compare-rubies.ts [--rounds N] [--seed N] [--only REGEXP] [DIR ...]
 *
 * Both get the same answers to what templates ask; functions answer with their name. A difference fails the run.
 */

import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  DEFAULT_COMMANDS,
  DEFAULT_MEMORY_BYTES,
  OwnRubyImages,
  type Ruby,
  RubyDied,
  RubyError,
  type RubyPeer,
  shimDirectory,
  startRuby,
} from '../../src/platform/ruby/index.ts';
import { generatedVariables, type Json, randomFrom } from '../erb/generated-variables.ts';

type Variables = Readonly<Record<string, Json>>;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const directories = positionals.length > 0 ? positionals : ['/usr/share/puppet/modules.available'];
const images = new OwnRubyImages();
const machine = start(DEFAULT_COMMANDS);
const builtIn = start([]);
console.log(`${machine.identity.description}\n${builtIn.identity.description}`);

/** Known to differ: since 3.4 the point may stand at the end of the number. */
const KNOWN = ['"1.e3".to_f'];

const counts = { files: 0, equal: 0, sameError: 0, different: 0 };
let lastTemplate = 0;
const spentMs = { L2: 0, L3: 0 };
for (const file of templateFiles()) compareTemplate(file);
print('templates');
for (const line of expressions()) compare(line, `<%= (${line}).inspect %>`, {});
print('expressions');
machine.close();
builtIn.close();

function start(commands: readonly string[]): Ruby {
  return startRuby({
    commands,
    ...(commands.length === 0 ? { images } : {}),
    shim: shimDirectory(),
    libraries: [],
    timeoutSeconds: 30,
    memoryBytes: DEFAULT_MEMORY_BYTES,
  });
}

function templateFiles(): readonly string[] {
  const only = new RegExp(options.only);
  const found = directories
    .filter((directory) => existsSync(directory))
    .flatMap((directory) => globSync(path.join(directory, '**/*.erb')));
  return [...new Set(found.map((file) => realpathSync(file)))].toSorted().filter((file) => only.test(file));
}

/** Lines that are no comments. */
function expressions(): readonly string[] {
  return ['expressions.txt', '../erb/expressions.txt']
    .flatMap((name) => readFileSync(path.join(import.meta.dirname, name), 'utf8').split('\n'))
    .filter((line) => line !== '' && !line.startsWith('# ') && !KNOWN.includes(line));
}

function compareTemplate(file: string): void {
  const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  counts.files += 1;
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const random = randomFrom(Number(options.seed) * 1000 + round * 7919 + text.length);
    compare(file, text, generatedVariables(text, {}, random));
  }
}

function compare(what: string, text: string, variables: Variables): void {
  lastTemplate += 1;
  const [left, right] = [render(machine, text, variables), render(builtIn, text, variables)];
  if (left.text === right.text && left.error === right.error)
    counts[left.error === undefined ? 'equal' : 'sameError'] += 1;
  else report(what, left.text ?? `error: ${left.error}`, right.text ?? `error: ${right.error}`);
}

/** What there was since the last time. */
function print(what: string): void {
  const { different, equal, files, sameError } = counts;
  console.log(
    `${what}${files > 0 ? ` (${files})` : ''}: ${equal} equal, ${sameError} with the same error, ` +
      `${different} different; ${spentMs.L2.toFixed(0)} ms in the machine's, ${spentMs.L3.toFixed(0)} ms in the built-in`,
  );
  if (different > 0 || (equal === 0 && options.only === '')) process.exitCode = 1;
  Object.assign(counts, { files: 0, equal: 0, sameError: 0, different: 0 });
  Object.assign(spentMs, { L2: 0, L3: 0 });
}

function render(
  ruby: Ruby,
  text: string,
  variables: Variables,
): { readonly text?: string; readonly error?: string } {
  const began = performance.now();
  const peer = peerWith(variables);
  const id = lastTemplate;
  try {
    ruby.call(`"template",1,1,1,${id},null,${JSON.stringify(text)}`, peer);
    return { text: String(ruby.call(`"render",1,1,1,${id},null,${JSON.stringify(variables)}`, peer)) };
  } catch (error) {
    if (error instanceof RubyDied) throw new Error(`${ruby.identity.layer} ended: ${text}`, { cause: error });
    if (!(error instanceof RubyError)) throw error;
    return { error: withoutAddresses(error.message) };
  } finally {
    spentMs[ruby.identity.layer] += performance.now() - began;
  }
}

function peerWith(variables: Variables): RubyPeer {
  const value = (name: unknown): Json => variables[String(name).replace(/^::/, '')] ?? null;
  const answers: Readonly<Record<string, (args: readonly unknown[]) => Json>> = {
    lookupvar: ([name]) => [value(name) !== null, value(name)],
    isVariable: ([name]) => value(name) !== null,
    isBound: ([name]) => value(name) !== null,
    variables: () => variables,
    callFunction: ([, name]) => String(name),
    callLegacy: ([, name]) => String(name),
    isFunction: () => true,
    scopeName: () => 'Class[main]',
    classes: () => ['settings'],
    tags: () => ['it'],
    catalogTags: () => ['it'],
    log: () => null,
  };
  return {
    answer: (question, args) => {
      const answer = answers[question];
      if (answer === undefined) throw new Error(`nobody knows ${question}`);
      return JSON.stringify(answer(args));
    },
    refuse: (error) => JSON.stringify(['Puppet::ParseError', String(error), 1, null]).slice(1, -1),
  };
}

/** Objects without a text of their own are printed with where they are. */
function withoutAddresses(message: string): string {
  return message.replaceAll(/0x[0-9a-f]{8,16}/g, '0x...');
}

function report(file: string, left: string, right: string): void {
  counts.different += 1;
  if (counts.different > 10) return;
  const [here, there] = [left.split('\n'), right.split('\n')];
  const at = here.findIndex((line, index) => line !== there[index]);
  console.log(`DIFFERENT ${file}`);
  console.log(`  machine  ${JSON.stringify(here[at] ?? here.at(-1))}`);
  console.log(`  built-in ${JSON.stringify(there[at] ?? there.at(-1))}`);
}
