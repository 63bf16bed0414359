/**
 * Renders every ERB template below some directories here and in the installed Puppet, with generated variables,
 * and compares.
 *
 *   node test/erb/compare-with-ruby.ts [--rounds N] [--seed N] [--only REGEXP] [--verbose] [DIRECTORY...]
 *
 * Templates that are given up go to Ruby in production; they are counted. A difference fails the run.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type ErbContext, ErbTemplates, type Rendering } from '../../src/language/erb/index.ts';
import { fromJson, parseExactJson } from '../../src/language/evaluator/json-values.ts';
import { fault, isArray, type Value } from '../../src/language/pcore/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import { prismFiles, RubyParser } from '../../src/lib/ruby-syntax/index.ts';
import { generatedVariables, type Json, randomFrom } from './generated-variables.ts';

const MODULES = '/usr/share/puppet/modules.available';

interface Request {
  readonly file: string;
  readonly text: string;
  readonly variables: Readonly<Record<string, Json>>;
}

type RecordedCall = readonly [name: string, result: string | null, error: string | null];

interface Answer {
  readonly text?: string;
  readonly error?: string;
  readonly unusable?: string;
  readonly calls?: readonly RecordedCall[];
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const directories = positionals.length > 0 ? positionals : [MODULES];
const only = options.only === undefined ? undefined : new RegExp(options.only);
const parser = new RubyParser(prismFiles());
const templates = new ErbTemplates((source) => parser.parse(source));

const counts = { equal: 0, sameError: 0, givenUp: 0, givenUpError: 0, different: 0, unusable: 0 };
const givenUpFiles = new Map<string, string>();
const requests = [...templateFiles()].flatMap(requestsFor);
const answers = askPuppet(requests);
const began = performance.now();
for (const [index, request] of requests.entries())
  compare(request, answers[index] ?? { unusable: 'no answer' });
const took = performance.now() - began;

const files = new Set(requests.map(({ file }) => file));
if (options.verbose) for (const [file, reason] of givenUpFiles) console.log(`given up: ${file}: ${reason}`);
console.log(
  `${files.size} templates, ${requests.length} renderings: ${counts.equal} equal, ` +
    `${counts.sameError} with the same error, ${counts.givenUp} given up (in ${givenUpFiles.size} templates), ` +
    `${counts.givenUpError} given up where Ruby raises, ${counts.unusable} not comparable, ` +
    `${counts.different} different; ${took.toFixed(0)} ms here`,
);
process.exitCode = counts.different > 0 || counts.equal === 0 ? 1 : 0;

function* templateFiles(): Iterable<string> {
  const seen = new Set<string>();
  for (const directory of directories) {
    for (const file of filesBelow(directory, 0)) {
      const real = realpathSync(file);
      if (!file.endsWith('.erb') || seen.has(real) || !(only?.test(file) ?? true)) continue;
      seen.add(real);
      yield real;
    }
  }
}

/** Links are followed, as module packages use them. */
function* filesBelow(directory: string, depth: number): Iterable<string> {
  for (const name of readdirSync(directory).sort()) {
    const file = path.join(directory, name);
    const status = statSync(file, { throwIfNoEntry: false });
    if (status?.isDirectory() === true && depth < 12) yield* filesBelow(file, depth + 1);
    else if (status?.isFile() === true) yield file;
  }
}

function requestsFor(file: string): readonly Request[] {
  const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  const hosts = factSets();
  return Array.from({ length: Number(options.rounds) }, (_, round) => {
    const random = randomFrom(Number(options.seed) * 1000 + round * 7919 + text.length);
    const facts = hosts[Math.floor(random() * hosts.length)] ?? {};
    return { file, text, variables: generatedVariables(text, facts, random) };
  });
}

function factSets(): readonly Readonly<Record<string, Json>>[] {
  const directory = new URL('../../../shared/fleet/facts/', import.meta.url);
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).sort();
  return names.slice(0, 8).map((name) => {
    const read = JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as {
      values: Record<string, Json>;
    };
    return read.values;
  });
}

function askPuppet(all: readonly Request[]): readonly Answer[] {
  const script = path.join(import.meta.dirname, 'render-with-puppet.rb');
  const { status, stdout, stderr } = spawnSync('ruby', [script, MODULES], {
    input: all.map((request) => `${JSON.stringify(request)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
  });
  if (status !== 0) throw new Error(`render-with-puppet.rb failed: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Answer);
}

function compare(request: Request, answer: Answer): void {
  if (answer.unusable !== undefined) {
    counts.unusable += 1;
    return;
  }
  const ours = rendered(request, answer.calls ?? []);
  if (ours.kind === 'given-up') {
    if (answer.error === undefined) {
      counts.givenUp += 1;
      givenUpFiles.set(request.file, ours.reason);
    } else counts.givenUpError += 1;
    return;
  }
  const text = ours.kind === 'rendered' ? ours.text : undefined;
  const message = ours.kind === 'failed' ? ours.message : undefined;
  if (
    answer.error === undefined
      ? text === answer.text
      : plainMessage(message ?? '') === plainMessage(answer.error)
  ) {
    counts[answer.error === undefined ? 'equal' : 'sameError'] += 1;
    return;
  }
  counts.different += 1;
  if (counts.different <= 10) report(request, ours, answer);
}

/** Ruby adds suggestions to some messages. */
function plainMessage(message: string): string {
  return message.replace(/\n+Did you mean\?[\s\S]*$/, '').replace(/\n\n[\s\S]*\^+[\s\S]*$/, '');
}

function report({ file, variables }: Request, ours: Rendering, answer: Answer): void {
  console.log(`DIFFERENT ${file}\n  variables ${JSON.stringify(variables)}`);
  const theirs = answer.text ?? `error: ${answer.error}`;
  const mine = ours.kind === 'rendered' ? ours.text : JSON.stringify(ours);
  const [left, right] = [mine.split('\n'), theirs.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  console.log(
    `  here  ${JSON.stringify(left[at] ?? left.at(-1))}\n  Ruby  ${JSON.stringify(right[at] ?? right.at(-1))}`,
  );
}

function rendered({ file, text, variables }: Request, calls: readonly RecordedCall[]): Rendering {
  try {
    return templates.render(text, contextFor(file, variables, calls));
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    return { kind: 'failed', message: error.message, line: 0, hadEffects: false };
  }
}

/** Functions answer what they answered to Puppet. */
function contextFor(
  file: string,
  variables: Readonly<Record<string, Json>>,
  calls: readonly RecordedCall[],
): ErbContext {
  const known = new Map(Object.entries(variables).map(([name, json]) => [name, valueOf(json)] as const));
  const find = (name: string): Value | undefined => known.get(name.replace(/^::/, '')) ?? undefined;
  const queue = [...calls];
  const call = (name: string): Value => {
    const next = queue.shift();
    if (next === undefined || next[0] !== name)
      throw fault(`here ${name} is called, by Puppet ${next?.[0] ?? 'nothing'}`);
    if (next[2] !== null) throw fault(next[2]);
    const results = fromJson(parseExactJson(next[1] ?? '[null]'));
    return isArray(results) ? (results[0] ?? null) : null;
  };
  return {
    file,
    instanceVariable: find,
    lookupVariable: (name) => find(name) ?? null,
    hasVariable: (name) => find(name) !== undefined,
    variables: () => [...known].filter(([name, value]) => value !== null && !name.includes('::')),
    classes: ['settings'],
    tags: [],
    isFunctionKnown: () => true,
    callFunction: (name) => call(name),
    callLegacyFunction: (name) => call(`function_${name}`),
    hasFallback: false,
    isRepeatable: () => false,
  };
}

function valueOf(json: Json): Value {
  return fromJson(parseExactJson(JSON.stringify(json)));
}
