/**
 * Everything in Ruby that Debian's modules have, here and in the installed Puppet, in one table: every function loads,
 * every resource type has the same attributes, key attributes and title patterns, every template renders the same for
 * generated variables.
 *
 *   node test/ruby/all-modules.ts [--directory DIR | --installed] [--layers L1,L2,L3] [--rounds N] [--seed N]
 *     [--modules REGEXP] [--types REGEXP] [--templates REGEXP]
 *
 * All packages `puppet-module-*` are downloaded and unpacked into DIR (a temporary one when absent); those in
 * `DIR/packages` are not downloaded again. `--installed` takes the modules that are installed instead. The regular
 * expressions choose modules for functions, types, and paths of templates. L1 reads types and templates itself, L2 is
 * the machine's Ruby, L3 the built-in one. What differs fails the run; what does not load, and why, is printed.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type ModuleDirectories, unpackDebianModules } from './debian-modules.ts';

interface Row {
  readonly what: string;
  readonly layer: string;
  readonly all: number;
  readonly same: number;
  /** Left to the next layer; or what Puppet itself can't load. */
  readonly left: string;
  readonly different: number;
}

const { values: options } = parseArgs({
  options: {
    directory: { type: 'string' },
    installed: { type: 'boolean', default: false },
    layers: { type: 'string', default: 'L1,L2,L3' },
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    modules: { type: 'string', default: '' },
    types: { type: 'string', default: '' },
    templates: { type: 'string', default: '' },
  },
});
const layers = options.layers.split(',');
const rubies = layers.filter((layer) => layer !== 'L1');
const installed: ModuleDirectories = {
  modulepath: '/usr/share/puppet/modules',
  unpacked: '/usr/share/puppet/modules.available',
  packages: 0,
};
let hasFailed = false;
const temporary =
  options.installed || options.directory !== undefined
    ? undefined
    : mkdtempSync(path.join(tmpdir(), 'bunraku-modules-'));
try {
  const modules = options.installed
    ? installed
    : unpackDebianModules(path.resolve(options.directory ?? temporary ?? ''));
  const rows = [...functions(modules), ...types(modules), ...templates(modules)];
  print(modules, rows);
  process.exitCode = hasFailed || rows.some(({ different }) => different > 0) ? 1 : 0;
} finally {
  if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
}

function functions({ unpacked }: ModuleDirectories): readonly Row[] {
  return rubies.flatMap((layer) => {
    const [counts = {}] = ask('load-corpus.ts', [
      '--ruby',
      layer === 'L3' ? 'wasm' : 'auto',
      '--only',
      options.modules,
      unpacked,
    ]) as readonly Readonly<Record<string, { loaded: number; all: number }>>[];
    return Object.entries(counts).map(([api, { all, loaded }]) => ({
      what: `functions ${api} that load`,
      layer,
      all,
      same: loaded,
      left: all === loaded ? '' : `${all - loaded} do not load`,
      different: 0,
    }));
  });
}

function types({ modulepath }: ModuleDirectories): readonly Row[] {
  return layers
    .filter((layer) => layer !== 'L3')
    .flatMap((layer) => {
      const args = [modulepath, '--only', options.types, ...(layer === 'L1' ? [] : ['--ruby'])];
      const [counts] = ask('../resource-types/compare-with-puppet.ts', args) as readonly {
        exact: number;
        flagged: number;
        wrong: number;
        unanswered: number;
      }[];
      if (counts === undefined) return [];
      const { exact, flagged, unanswered, wrong } = counts;
      const left = [
        ...(flagged > 0 ? [`${flagged} flagged`] : []),
        ...(unanswered > 0 ? [`${unanswered} that Puppet can't load`] : []),
      ];
      return [
        {
          what: 'resource types',
          // Reading types is what comes before Ruby.
          layer: layer === 'L1' ? 'L0' : layer,
          all: exact + flagged + wrong + unanswered,
          same: exact,
          left: left.join(', '),
          different: wrong,
        },
      ];
    });
}

function templates({ modulepath, unpacked }: ModuleDirectories): readonly Row[] {
  const args = ['--layers', options.layers, '--modulepath', modulepath, '--rounds', options.rounds];
  const more = ['--seed', options.seed, '--only', options.templates, unpacked];
  const counts = ask('../erb/compare-with-ruby.ts', [...args, ...more]) as readonly {
    layer: string;
    templates: number;
    renderings: number;
    unusable: number;
    equal: number;
    sameError: number;
    givenUp: number;
    different: number;
  }[];
  return counts.map((count) => ({
    what: `renderings of ${count.templates} templates`,
    layer: count.layer,
    all: count.renderings,
    same: count.equal + count.sameError,
    left: [
      `${count.sameError} of them errors`,
      ...(count.givenUp > 0 ? [`${count.givenUp} given up`] : []),
      ...(count.unusable > 0 ? [`${count.unusable} not comparable`] : []),
    ].join(', '),
    different: count.different,
  }));
}

/** Runs one of the comparisons, passes on what it says, and reads its lines of counts. */
function ask(script: string, args: readonly string[]): readonly unknown[] {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, script), '--json', ...args],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  const lines = stdout.split('\n').filter((line) => line !== '');
  const counts = lines.filter((line) => line.startsWith('{"'));
  process.stdout.write(`${lines.filter((line) => !counts.includes(line)).join('\n')}\n`);
  if (status !== 0) {
    hasFailed = true;
    process.stdout.write(`${script} failed\n${stderr}`);
  }
  return counts.map((line) => JSON.parse(line) as unknown);
}

function print({ packages }: ModuleDirectories, rows: readonly Row[]): void {
  const line = (...cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`);
  console.log(`\n${packages === 0 ? 'the installed packages' : `${packages} packages`}\n`);
  line('what', 'layer', 'all', 'same', '', 'different');
  line('---', '---', '---', '---', '---', '---');
  for (const { all, different, layer, left, same, what } of rows)
    line(what, layer, all, same, left, different);
}
