/**
 * Runs recorded snippets and compares with what Puppet gave.
 *
 *   npm run conformance -- [DIR...] [--area LIST] [--id PATTERN] [--list] [--limit N] [--level 7|8|9] [--own-ruby]
 *
 * DIR is a directory like test/recorded/conformance; absent: that and those beside this file. Levels 8 and 9 compare with what
 * OpenVox 8 and 9 give with their own defaults. `--list` prints the ids of
 * what differs and nothing else. Exits with 1 when a case differs that is not listed in known-differences.txt (of another
 * level: in known-differences-LEVEL.txt), or a listed one does not. Templates are rendered as servers do it, and once more by Ruby alone. Listed ones that are in recorded-again.json, too, must give what is recorded there.
 *
 * The cases of a corpus share one Ruby, as the compiles of a server do: a case that differs because of an earlier one fails. A case that
 * passes because of an earlier one is found with `--own-ruby`, which starts a Ruby for each case (`npm run test:peers` runs it).
 */

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { LevelNumber } from '../../src/language/levels/index.ts';
import { type ExactJson, isList, isObject, parseExactJson } from '../support/exact-json.ts';
import { KnownDifferences } from '../support/known-differences.ts';
import { recordedLevel } from '../support/recorded-levels.ts';
import { differences } from './differences.ts';
import { interpretedTemplates } from './interpreted-templates.ts';
import { type ConformanceCase, type Corpus, runCase } from './run-case.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    area: { type: 'string' },
    id: { type: 'string' },
    list: { type: 'boolean', default: false },
    limit: { type: 'string', default: '10' },
    level: { type: 'string', default: '7' },
    'own-ruby': { type: 'boolean', default: false },
  },
});
const recorded = recordedLevel(options.level);
const isLevel7 = recorded.level.number === 7;
const listName = isLevel7 ? 'known-differences.txt' : `known-differences-${options.level}.txt`;
const known = new KnownDifferences(path.join(import.meta.dirname, listName));
/** A case gives what the first of these says that it has, or else `expect`. */
const ownDefaults = ownFields(recorded.level.number);
const again = isLevel7
  ? recordedAgain(readFileSync(path.join(import.meta.dirname, 'recorded-again.json'), 'utf8'))
  : new Map<string, ExactJson>();
/** Recorded in its own process: Puppet warns only once in a process about how dig44() is loaded, and an earlier case gets the warning. */
const needsOwnRuby: ReadonlySet<string> = new Set(['stdlib-a00c897c']);
const areas = options.area === undefined ? undefined : new Set(options.area.split(','));

const erb = interpretedTemplates();
const totals = { same: 0, known: 0, again: 0, differing: 0, surprising: 0 };
for (const directory of positionals.length > 0 ? positionals : usualDirectories())
  runCorpus(realpathSync(directory));
if (!options.list) {
  process.stdout.write(
    `${totals.same} as expected, ${totals.known} known to differ (${totals.again} as recorded again), ` +
      `${totals.differing} differ, ` +
      `${totals.surprising} listed but as expected\n`,
  );
}
process.exitCode = totals.differing + totals.surprising > 0 ? 1 : 0;

function usualDirectories(): readonly string[] {
  const directory = path.resolve(import.meta.dirname, '../recorded/conformance');
  if (!isLevel7) return [directory];
  const own = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(import.meta.dirname, name));
  return [directory, ...own];
}

function runCorpus(directory: string): void {
  const factsFile = path.join(directory, 'facts.json');
  const facts = existsSync(factsFile) ? (JSON.parse(readFileSync(factsFile, 'utf8')) as Corpus['facts']) : {};
  for (const file of readdirSync(directory).sort())
    if (file.endsWith('.json') && file !== 'facts.json') runArea({ directory, facts, recorded }, file);
}

function runArea(corpus: Corpus, file: string): void {
  const text = readFileSync(path.join(corpus.directory, file), 'utf8');
  const plain = JSON.parse(text) as { readonly area: string; readonly cases: readonly ConformanceCase[] };
  if (areas !== undefined && !areas.has(plain.area)) return;
  const expected = expectations(text);
  const id = options.id === undefined ? undefined : new RegExp(options.id);
  const lines: string[] = [];
  let same = 0;
  let listed = 0;
  let total = 0;
  for (const test of plain.cases) {
    if (id !== undefined && !id.test(test.id)) continue;
    total += 1;
    const { actual, found } = compared(corpus, test, expected.get(test.id) ?? {});
    const entry = known.find([test.id, `family:${test.family ?? ''}`, ...needsOf(actual)]);
    const fresh = again.get(test.id);
    const isAgain = fresh !== undefined && differences(fresh, actual).next().done === true;
    if (found.length === 0) same += 1;
    else if (entry !== undefined && (fresh === undefined || isAgain)) {
      listed += 1;
      if (isAgain) totals.again += 1;
    } else if (options.list) process.stdout.write(`${test.id}\n`);
    else
      lines.push(
        `  ${test.id} [${test.family ?? ''}]: ${JSON.stringify(test.code)}`,
        ...found.map((line) => `    ${line}`),
      );
    if (found.length === 0 && entry !== undefined && known.isExact(entry)) {
      totals.surprising += 1;
      lines.unshift(`  ${test.id}: as expected, though listed as different`);
    }
  }
  totals.same += same;
  totals.known += listed;
  totals.differing += total - same - listed;
  if (options.list || total === 0) return;
  process.stdout.write(`${plain.area}: ${same} of ${total} as expected, ${listed} known to differ\n`);
  const limit = Number(options.limit);
  const shown = limit === 0 ? lines : lines.slice(0, limit * 2);
  for (const line of shown) process.stdout.write(`${line}\n`);
}

interface Comparison {
  readonly actual: ExactJson;
  readonly found: readonly string[];
}

/** What differs as servers render templates, or else as Ruby does. */
function compared(corpus: Corpus, test: ConformanceCase, expected: ExactJson): Comparison {
  const hasRubyForEachCase = options['own-ruby'] || needsOwnRuby.has(test.id);
  const actual = run({ ...corpus, erb, hasRubyForEachCase }, test);
  const found = [...differences(expected, actual)];
  if (found.length > 0 || !test.code.includes('template')) return { actual, found };
  const byRuby = run({ ...corpus, hasRubyForEachCase }, test);
  return { actual: byRuby, found: [...differences(expected, byRuby)] };
}

/** What a case asks for that there is not: a name that the list of known differences may have. */
function needsOf(actual: ExactJson): readonly string[] {
  const error = isObject(actual) ? actual['error'] : undefined;
  const text = isObject(error) ? String(error['full']) : '';
  return text.includes('Ruby is not available') ? ['needs:ruby'] : [];
}

/** A bug of ours is a difference, too: one case must not end the run. */
function run(corpus: Corpus, test: ConformanceCase): ExactJson {
  try {
    return runCase(corpus, test);
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { crash: stack.split('\n').slice(0, 4).join(' | ') };
  }
}

function recordedAgain(text: string): ReadonlyMap<string, ExactJson> {
  const json = parseExactJson(text);
  return new Map(isObject(json) ? Object.entries(json) : []);
}

function expectations(text: string): ReadonlyMap<string, ExactJson> {
  const json = parseExactJson(text);
  const cases = isObject(json) && isList(json['cases']) ? json['cases'] : [];
  return new Map(cases.map((test) => (isObject(test) ? [String(test['id']), expectation(test)] : ['', {}])));
}

function expectation(test: { readonly [field: string]: ExactJson }): ExactJson {
  const own = ownDefaults.map((field) => test[field]).find((json) => json !== undefined);
  return (isObject(own) ? own['expect'] : test['expect']) ?? {};
}

function ownFields(level: LevelNumber): readonly string[] {
  const fields: Readonly<Record<LevelNumber, readonly string[]>> = {
    7: [],
    8: ['openvox8'],
    9: ['openvox9_defaults', 'openvox8'],
  };
  return fields[level];
}
