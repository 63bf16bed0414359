/**
 * Makes resource types that are hard to read, compiles code with them here and with the installed Puppet, and compares.
 *
 *   node test/resource-types/compare-odd-types.ts [--count N] [--seed N] [--ruby] [--keep] [--verbose]
 *
 * With `--ruby` no type is read: all are run by Ruby.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { renderCatalog } from '../../src/language/catalog/index.ts';
import { defaultLanguageSettings, Environment, ParseCache } from '../../src/language/environment/index.ts';
import { compileCatalog } from '../../src/language/evaluator/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import { openEnvironment } from '../support/open-environment.ts';
import { outside } from '../support/outside.ts';
import { randomFrom } from '../support/random-from.ts';
import { endRuby, rubyOf } from '../support/ruby.ts';
import { type OddType, oddType } from './odd-types.ts';

type Answer = { readonly resources: unknown } | { readonly error: string };

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    ruby: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
const root = mkdtempSync(path.join(tmpdir(), 'bunraku-odd-'));
const directory = path.join(root, 'odd');
try {
  run();
} finally {
  if (options.keep) process.stdout.write(`${root}\n`);
  else rmSync(root, { recursive: true, force: true });
}

function run(): void {
  const random = randomFrom(Number(options.seed));
  const types = Array.from({ length: Number(options.count) }, (_, index) => oddType(`odd${index}`, random));
  for (const type of types) write(type);
  writeFileSync(path.join(directory, 'environment.conf'), 'modulepath = modules\n');
  const theirs = askPuppet(types);
  const environment = open();
  const counts = { catalog: 0, error: 0, different: 0, byRuby: 0 };
  for (const [index, type] of types.entries()) {
    const ours = compile(environment, type);
    const expected = theirs[index] ?? { error: 'no answer' };
    if (environment.resourceTypeProblem(type.name) !== undefined || options.ruby) counts.byRuby += 1;
    if (options.verbose && 'error' in expected) process.stdout.write(`${expected.error}\n`);
    if (isSame(ours, expected)) counts['error' in expected ? 'error' : 'catalog'] += 1;
    else {
      counts.different += 1;
      report(type, ours, expected, environment.resourceTypeProblem(type.name));
    }
  }
  endRuby(environment);
  process.stdout.write(
    `${types.length} types: ${counts.catalog} give the same catalog, ${counts.error} the same error, ` +
      `${counts.different} differ; ${counts.byRuby} were run by Ruby\n`,
  );
  process.exitCode = counts.different > 0 ? 1 : 0;
}

function write({ files, name }: OddType): void {
  for (const [file, text] of Object.entries(files)) {
    const absolute = path.join(directory, 'modules', `mod_${name}`, file);
    mkdirSync(path.dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
  }
}

function askPuppet(types: readonly OddType[]): readonly Answer[] {
  const { status, stdout, stderr } = spawnSync(
    'ruby',
    [path.join(import.meta.dirname, 'compile-with-puppet.rb'), directory],
    {
      input: types.map(({ code, name }) => `${JSON.stringify({ id: name, code })}\n`).join(''),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: { ...process.env, LANG: 'C.UTF-8', RUBYOPT: '--disable-error_highlight --disable-did_you_mean' },
    },
  );
  if (status !== 0) throw new Error(`compile-with-puppet.rb failed: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{"id"'))
    .map((line) => JSON.parse(line) as Answer);
}

function open(): Environment {
  const opened = openEnvironment({
    directory,
    name: 'odd',
    code: '',
    settings: defaultLanguageSettings,
  });
  return withReader(opened);
}

function compile(environment: Environment, { code }: OddType): Answer {
  const snippet = withCode(environment, code);
  try {
    const { catalog } = compileCatalog({
      certname: 'node.example.com',
      environment: snippet,
      facts: {},
      trusted: { authenticated: 'remote', certname: 'node.example.com', extensions: {}, external: {} },
      serverFacts: {},
      node: { classes: {}, parameters: {} },
      termini: { outside, ruby: rubyOf(environment) },
      log: () => {},
    });
    const { resources } = JSON.parse(renderCatalog(catalog, 'application/vnd.puppet.rich+json')) as {
      resources: readonly { type: string; title: string; parameters?: object }[];
    };
    const boring = new Set(['Stage[main]', 'Class[main]', 'Class[Settings]']);
    return {
      resources: resources
        .filter(({ type, title }) => !boring.has(`${type}[${title}]`))
        .map(({ type, title, parameters = {} }) => [type, title, parameters]),
    };
  } catch (error) {
    if (error instanceof PuppetError) return { error: error.message };
    throw error;
  }
}

/** The same environment with other code in place of its manifests. */
function withCode(environment: Environment, code: string): Environment {
  return withReader(openEnvironment({ directory, name: 'odd', code, settings: environment.config.settings }));
}

/** Without a reader, Ruby runs all types. */
function withReader(opened: Environment): Environment {
  return options.ruby ? new Environment(opened.config, opened.files, new ParseCache()) : opened;
}

function isSame(ours: Answer, theirs: Answer): boolean {
  if ('error' in ours && 'error' in theirs) return plain(ours.error) === plain(theirs.error);
  if (!('resources' in ours) || !('resources' in theirs)) return false;
  return JSON.stringify(ours.resources) === JSON.stringify(theirs.resources);
}

/** Addresses and places in our own Ruby. */
function plain(message: string): string {
  return message.replace(/0x[0-9a-f]+/g, '0x');
}

function report(
  { files, code, name }: OddType,
  ours: Answer,
  theirs: Answer,
  flagged: string | undefined,
): void {
  process.stdout.write(`${name} (${flagged ?? 'read'})\n`);
  if (options.verbose) process.stdout.write(`${Object.values(files).join('\n')}\n${code}\n`);
  process.stdout.write(`  ours   ${JSON.stringify(ours)}\n  theirs ${JSON.stringify(theirs)}\n`);
}
