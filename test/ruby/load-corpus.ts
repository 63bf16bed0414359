/**
 * Loads every Ruby function of all installed modules, and says of those that do not load why.
 *
 *   node test/ruby/load-corpus.ts [--ruby auto|wasm|COMMAND] [--only REGEXP] [--json] [DIR ...]
 *
 * DIR holds modules (default: Debian's, and those of test/recorded). All of them make one environment; each module has a
 * Ruby of its own, so that functions of one name do not hide each other. `--only` chooses modules; `--json` adds a
 * line with the counts.
 */

import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
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
import type { RubyCaller } from '../../src/language/evaluator/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import { OwnRubyImages, rubyChoice } from '../../src/platform/ruby/index.ts';
import { RubyEnvironment } from '../../src/services/compiler/ruby/index.ts';
import { openEnvironment } from '../support/open-environment.ts';
import { withRubyCaller } from '../support/ruby-caller.ts';

const recordedDirectory = path.resolve(import.meta.dirname, '../recorded');
const { values: options, positionals: given } = parseArgs({
  allowPositionals: true,
  options: {
    ruby: { type: 'string', default: 'auto' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const { allowsBuiltIn, commands } = rubyChoice(options.ruby);
const images = new OwnRubyImages();
const directories = (
  given.length > 0
    ? given
    : [
        '/usr/share/puppet/modules.available',
        path.join(recordedDirectory, 'fleet/environments/production/site-modules'),
        path.join(recordedDirectory, 'conformance/environment/modules'),
      ]
).filter((directory) => existsSync(directory));

const directory = makeEnvironment();
try {
  const environment = openEnvironment({
    directory,
    name: 'corpus',
    code: "inline_template('')",
    settings: defaultLanguageSettings,
  });
  withRubyCaller(environment, (caller) => report(environment, caller));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Modules under the names that they have on the Forge, without the author. */
function makeEnvironment(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'bunraku-corpus-'));
  mkdirSync(path.join(root, 'modules'));
  for (const source of directories) {
    for (const entry of readdirSync(source)) {
      const link = path.join(root, 'modules', entry.replace(/^.*-/, ''));
      if (!existsSync(link)) symlinkSync(realpathSync(path.join(source, entry)), link);
    }
  }
  return root;
}

function report(environment: Environment, caller: RubyCaller): void {
  const counts = { '3.x': { loaded: 0, all: 0 }, '4.x': { loaded: 0, all: 0 } };
  const root = environment.config.directory;
  const only = new RegExp(options.only);
  for (const module of environment.modules.values()) {
    if (!only.test(module.name)) continue;
    const host = new RubyEnvironment({
      environment,
      commands,
      ...(allowsBuiltIn ? { images } : {}),
      paths: { logicalDirectory: root, physicalDirectory: root },
    });
    for (const file of functionFiles(module)) {
      const count = counts[file.api];
      count.all += 1;
      const problem = problemOf(host, file, caller);
      if (problem === undefined) count.loaded += 1;
      else process.stdout.write(`${path.relative(`${root}/modules`, file.path)}: ${problem}\n`);
    }
    host.close();
  }
  for (const [api, { all, loaded }] of Object.entries(counts))
    process.stdout.write(`${api}: ${loaded} of ${all} functions load\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(counts)}\n`);
}

function functionFiles(module: NonNullable<RubyFunctionFile['module']>): readonly RubyFunctionFile[] {
  const find = (api: RubyFunctionFile['api'], pattern: string) =>
    globSync(path.join(module.directory, pattern))
      .toSorted()
      .map((file) => ({ api, module, path: file }));
  return [...find('4.x', 'lib/puppet/functions/**/*.rb'), ...find('3.x', 'lib/puppet/parser/functions/*.rb')];
}

/** @returns why it does not load */
function problemOf(host: RubyEnvironment, file: RubyFunctionFile, caller: RubyCaller): string | undefined {
  const below = file.api === '4.x' ? '/lib/puppet/functions/' : '/lib/puppet/parser/functions/';
  const name = (file.path.split(below)[1] ?? '').replace(/\.rb$/, '').replaceAll('/', '::');
  try {
    host.load({ name, file }, caller);
    return undefined;
  } catch (error) {
    if (error instanceof PuppetError) return error.message.trim().split('\n')[0];
    throw error;
  }
}
