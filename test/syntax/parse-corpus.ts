/**
 * Parses and validates every `.pp` and `.epp` file below the directories that are named, and prints how many.
 *
 *     node test/syntax/parse-corpus.ts [--against-puppet] [--mutants N] [--verbose] DIRECTORY...
 *
 * With `--against-puppet` the Puppet that is installed reads the same files, and verdicts, messages and trees are
 * compared. `--mutants` adds that many damaged copies of each file, always the same. Exits with 1 when something differs.
 */

import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ReferenceResult, readWithBunraku, readWithPuppet, type SyntaxCase } from './compare-parsers.ts';
import { mutate } from './mutate.ts';

/** Errors that Ruby raises for what it can't compile reach users as their text alone. */
const RUBY_ERROR = /^crash: (?:RegexpError|ArgumentError): /;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'against-puppet': { type: 'boolean' },
    mutants: { type: 'string' },
    verbose: { type: 'boolean' },
  },
});

const files = positionals
  .flatMap((directory) => globSync([`${directory}/**/*.{pp,epp}`, `${directory}/*.json`]))
  .sort();
const cases: SyntaxCase[] = files.flatMap(readCases).map((each, id) => ({ ...each, id }));
const bytes = cases.reduce((sum, { text }) => sum + text.length, 0);

const start = performance.now();
const ours = cases.map(readWithBunraku);
const seconds = (performance.now() - start) / 1000;
const refused = ours.filter(({ error }) => error !== undefined);
console.log(
  `${cases.length} files, ${bytes} characters: ${cases.length - refused.length} read, ${refused.length} refused`,
);
console.log(`${(bytes / 1e6 / seconds).toFixed(1)} million characters per second, dumps included`);
if (values.verbose === true) for (const { error } of refused) console.log(`  ${error}`);

if (values['against-puppet'] === true) {
  const theirs = await readWithPuppet(cases);
  let different = 0;
  for (const [index, mine] of ours.entries()) {
    const reference = theirs[index];
    if (reference !== undefined && render(mine) === render(reference)) continue;
    different++;
    report(cases[index], render(mine), reference === undefined ? 'no answer' : render(reference));
  }
  console.log(`${cases.length - different} as Puppet, ${different} not`);
  if (different > 0) process.exitCode = 1;
}

function render({ dump, places, error, logs }: ReferenceResult): string {
  return [
    error === undefined ? `${dump}\n${places}` : `error: ${error.replace(RUBY_ERROR, '')}`,
    ...logs,
  ].join('\n');
}

/** A directory's `.json` of conformance cases counts as one file for each of its snippets. */
function readCases(file: string): Omit<SyntaxCase, 'id'>[] {
  const text = readFileSync(file, 'utf8');
  const texts = file.endsWith('.json') ? snippetsOf(text) : [text];
  const count = Number(values.mutants ?? 0);
  return texts
    .flatMap((each) => [each, ...mutate(each, count)])
    .map((each) => ({ file, text: each, epp: file.endsWith('.epp') }));
}

function snippetsOf(json: string): string[] {
  const { cases: all } = JSON.parse(json) as { readonly cases?: readonly { readonly code: string }[] };
  return all?.map(({ code }) => code) ?? [];
}

function report(input: SyntaxCase | undefined, mine: string, theirs: string): void {
  let same = 0;
  while (mine[same] === theirs[same]) same++;
  const from = Math.max(0, same - 60);
  console.log(`differs: ${input?.file}`);
  console.log(`  bunraku: ${mine.slice(from, from + 400)}`);
  console.log(`  puppet:  ${theirs.slice(from, from + 400)}`);
  if (input !== undefined && input.text.length < 400) console.log(`  text:    ${JSON.stringify(input.text)}`);
}
