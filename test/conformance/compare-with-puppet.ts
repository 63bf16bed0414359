/**
 * Makes snippets, asks real Puppet and this compiler, and prints where they differ.
 *
 *   node test/conformance/compare-with-puppet.ts [--count N] [--seed N] [--family LIST] [--limit N] [--keep DIR] [--level 7|8|9]
 *   node test/conformance/compare-with-puppet.ts --snippets FILE [--keep DIR]
 *
 * `--level 8` and `--level 9` ask the OpenVox whose `lib` directory PUPPET_LIB names, with its own defaults.
 * `--ruby`: Ruby renders all templates, those too that need none.
 * Needs Debian's puppet-agent and the recorder beside the corpus (test/recorded/conformance/oracle). `--keep` writes the
 * recorded snippets as a corpus that `npm run conformance -- DIR` reads; `--snippets` takes them from a file
 * instead of making them, with a line `---` between two. The family `vendored` needs the modules augeas_core, cron_core,
 * and so on: put the `lib` of each into RUBYLIB, as Puppet does with those in `vendormoduledir`. Exits with 1 when something differs.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compact, type ExactJson, isObject, parseExactJson } from '../support/exact-json.ts';
import { recordedLevel } from '../support/recorded-levels.ts';
import { differences } from './differences.ts';
import { callFamilies } from './differential/calls.ts';
import { expressionFamilies } from './differential/expressions.ts';
import { programFamilies } from './differential/programs.ts';
import { Random } from './differential/random.ts';
import { vendoredFamilies } from './differential/vendored.ts';
import { interpretedTemplates } from './interpreted-templates.ts';
import { type ConformanceCase, type Corpus, runCase } from './run-case.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    family: { type: 'string' },
    limit: { type: 'string', default: '10' },
    keep: { type: 'string' },
    snippets: { type: 'string' },
    ruby: { type: 'boolean', default: false },
    level: { type: 'string', default: '7' },
  },
});
const families = { ...expressionFamilies, ...callFamilies, ...programFamilies, ...vendoredFamilies };
const corpusDirectory = path.resolve(import.meta.dirname, '../recorded/conformance');
const recorder = path.join(corpusDirectory, 'oracle/run-with-puppet');
run();

function run(): void {
  const cases = options.snippets === undefined ? generate() : snippetsOf(options.snippets);
  const recorded = record(cases);
  const facts = JSON.parse(readFileSync(path.join(corpusDirectory, 'facts.json'), 'utf8')) as Corpus['facts'];
  const corpus: Corpus = {
    directory: corpusDirectory,
    facts,
    recorded: recordedLevel(options.level),
    ...(options.ruby ? {} : { erb: interpretedTemplates() }),
  };
  const totals = new Map<string, { count: number; lines: string[] }>();
  for (const test of cases) {
    const expected = recorded.get(test.id);
    if (expected === undefined) continue;
    const family = test.family ?? '';
    const total = totals.get(family) ?? { count: 0, lines: [] };
    totals.set(family, total);
    total.count += 1;
    const found = [...differences(expected, attempt(corpus, test))];
    if (found.length > 0)
      total.lines.push(
        `  ${test.id}: ${JSON.stringify(test.code)}\n${found.map((line) => `    ${line}`).join('\n')}`,
      );
  }
  report(totals);
  if (options.keep !== undefined) keep(options.keep, cases, recorded);
}

function generate(): readonly ConformanceCase[] {
  const random = new Random(Number(options.seed));
  const wanted = options.family?.split(',') ?? Object.keys(families);
  return Array.from({ length: Number(options.count) }, (_, index) => {
    const family = wanted[index % wanted.length] ?? '';
    const make = families[family];
    if (make === undefined) throw new Error(`no family ${family}`);
    return { id: `${family}-${options.seed}-${index}`, family, code: make(random), expect: null };
  });
}

function snippetsOf(file: string): readonly ConformanceCase[] {
  const codes = readFileSync(file, 'utf8')
    .trimEnd()
    .split(/^---\n/m);
  return codes.map((text) => {
    const code = text.trimEnd();
    const id = `snippet-${createHash('sha256').update(code).digest('hex').slice(0, 8)}`;
    return { id, family: path.basename(file), code, expect: null };
  });
}

/** One case that can't be written down, such as a value that is nested too deeply, costs no more than itself. */
function record(cases: readonly ConformanceCase[]): ReadonlyMap<string, ExactJson> {
  try {
    return recordTogether(cases);
  } catch (error) {
    if (cases.length > 1) {
      const half = Math.ceil(cases.length / 2);
      return new Map([...record(cases.slice(0, half)), ...record(cases.slice(half))]);
    }
    console.error(`${cases[0]?.id} can't be recorded: ${String(error).split('\n')[1] ?? ''}`);
    return new Map();
  }
}

function recordTogether(cases: readonly ConformanceCase[]): ReadonlyMap<string, ExactJson> {
  const directory = mkdtempSync(path.join(tmpdir(), 'compare-'));
  const file = path.join(directory, 'cases.json');
  writeFileSync(file, JSON.stringify(cases.map(({ id, code }) => ({ id, code }))));
  const ownDefaults = options.level === '7' ? [] : ['--own-defaults'];
  const text = execFileSync(recorder, [...ownDefaults, file], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: 'pipe',
  });
  const json = parseExactJson(text);
  return new Map(isObject(json) ? Object.entries(json) : []);
}

/** A bug is a difference, too. */
function attempt(corpus: Corpus, test: ConformanceCase): ExactJson {
  try {
    return runCase(corpus, test);
  } catch (error) {
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function report(
  totals: ReadonlyMap<string, { readonly count: number; readonly lines: readonly string[] }>,
): void {
  let differing = 0;
  for (const [family, { count, lines }] of totals) {
    differing += lines.length;
    console.log(`${family}: ${count - lines.length} of ${count} the same`);
    for (const line of lines.slice(0, Number(options.limit))) console.log(line);
  }
  const count = Array.from(totals.values()).reduce((sum, total) => sum + total.count, 0);
  console.log(`${differing} of ${count} differ (seed ${options.seed})`);
  process.exitCode = differing > 0 ? 1 : 0;
}

function keep(
  directory: string,
  cases: readonly ConformanceCase[],
  recorded: ReadonlyMap<string, ExactJson>,
): void {
  mkdirSync(directory, { recursive: true });
  cpSync(path.join(corpusDirectory, 'facts.json'), path.join(directory, 'facts.json'));
  cpSync(path.join(corpusDirectory, 'environment'), path.join(directory, 'environment'), { recursive: true });
  const lines = cases.flatMap(({ id, code, family = '' }) => {
    const expect = recorded.get(id);
    return expect === undefined ? [] : [compact({ id, family, code, expect })];
  });
  writeFileSync(
    path.join(directory, 'generated.json'),
    `{"area":"generated","cases":[\n${lines.join(',\n')}\n]}\n`,
  );
}
