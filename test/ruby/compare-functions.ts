/**
 * Calls every function in Ruby of the installed modules with generated arguments, interpreted (layer L1) and in the
 * machine's Ruby, and compares results, messages and what it did to the catalog.
 *
 *   node test/ruby/compare-functions.ts [--rounds N] [--seed N] [--only REGEXP] [DIR ...]
 *
 * What the interpreter leaves to Ruby is counted, and not run twice. A difference fails the run.
 */

import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  defaultLanguageSettings,
  type Environment,
  type RubyFunctionFile,
} from '../../src/language/environment/index.ts';
import type { Value } from '../../src/language/pcore/index.ts';
import { InterpretedFunctions } from '../../src/language/ruby/index.ts';
import { prismFiles, RubyParser } from '../../src/lib/ruby-syntax/index.ts';
import { openEnvironment } from '../support/open-environment.ts';
import { randomFrom } from '../support/random-from.ts';
import { FunctionSide, show } from './function-side.ts';
import { generatedArguments } from './generated-arguments.ts';

const recordedDirectory = path.resolve(import.meta.dirname, '../recorded');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const directories = (
  positionals.length > 0
    ? positionals
    : [
        '/usr/share/puppet/modules.available',
        path.join(recordedDirectory, 'fleet/environments/production/site-modules'),
      ]
).filter((directory) => existsSync(directory));
const parser = new RubyParser(prismFiles());
const interpreter = new InterpretedFunctions((source) => parser.parse(source));
/** Whose results depend on the moment or on chance, or that reach outside. */
const UNSTABLE = /rand|shuffle|password|time|uuid|seeded|crypt|salt|generate|load_module_metadata|getvar/;

const counts = { files: 0, interpreted: 0, calls: 0, equal: 0, left: 0, different: 0 };
for (const directory of directories)
  for (const module of new Set(modulesOf(directory))) compareModule(path.join(directory, module));
const { calls, different, equal, files, interpreted, left } = counts;
console.log(
  `${files} functions, ${interpreted} of them interpreted; ${calls} calls: ${equal} equal, ` +
    `${left} left to Ruby, ${different} different`,
);
if (different > 0 || equal === 0) process.exitCode = 1;

function modulesOf(directory: string): readonly string[] {
  const found = ['*/lib/puppet/functions/**/*.rb', '*/lib/puppet/parser/functions/*.rb'].flatMap((pattern) =>
    globSync(path.join(directory, pattern)),
  );
  return found.map((file) => path.relative(directory, file).split('/')[0] ?? '').toSorted();
}

/** Each module in an environment of its own: functions of one name would hide each other. */
function compareModule(directory: string): void {
  const root = mkdtempSync(path.join(tmpdir(), 'bunraku-functions-'));
  const name = path.basename(directory).replace(/^.*-/, '');
  try {
    mkdirSync(path.join(root, 'modules'));
    symlinkSync(realpathSync(directory), path.join(root, 'modules', name));
    const settings = defaultLanguageSettings;
    const environment = openEnvironment({
      directory: root,
      name: 'corpus',
      code: "inline_template('')",
      settings,
    });
    compareFunctions(environment, path.join(root, 'modules', name));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function compareFunctions(environment: Environment, module: string): void {
  const sides = {
    interpreted: new FunctionSide(environment, interpreter),
    inRuby: new FunctionSide(environment),
  };
  for (const [name, file] of functionFiles(module)) {
    if (!new RegExp(options.only).test(name) || UNSTABLE.test(name)) continue;
    const text = readFileSync(file.path, 'utf8');
    const before = counts.equal;
    counts.files += 1;
    for (let round = 0; round < Number(options.rounds); round += 1) {
      const random = randomFrom(Number(options.seed) * 1000 + round * 7919 + text.length);
      compareCall(name, file, generatedArguments(text, random), sides);
    }
    if (counts.equal > before) counts.interpreted += 1;
  }
  sides.interpreted.close();
  sides.inRuby.close();
}

function functionFiles(module: string): readonly (readonly [name: string, RubyFunctionFile])[] {
  const found = (api: RubyFunctionFile['api'], below: string, pattern: string) =>
    globSync(path.join(module, below, pattern)).map((file): readonly [string, RubyFunctionFile] => [
      path.relative(path.join(module, below), file).replace(/\.rb$/, '').replaceAll('/', '::'),
      { api, path: file, module: undefined },
    ]);
  return [
    ...found('4.x', 'lib/puppet/functions', '**/*.rb'),
    ...found('3.x', 'lib/puppet/parser/functions', '*.rb'),
  ].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

interface Sides {
  readonly interpreted: FunctionSide;
  readonly inRuby: FunctionSide;
}

function compareCall(
  name: string,
  file: RubyFunctionFile,
  args: readonly Value[],
  { inRuby, interpreted }: Sides,
): void {
  counts.calls += 1;
  const here = interpreted.call(name, file, args);
  if (here.layer !== 'L1') {
    counts.left += 1;
    return;
  }
  const there = inRuby.call(name, file, args);
  if (here.text === there.text) {
    counts.equal += 1;
    return;
  }
  counts.different += 1;
  console.log(
    `DIFFERENT ${name} (${file.api})\n  ${args.map(show).join(', ')}\n  L1: ${here.text}\n  L2: ${there.text}`,
  );
}
