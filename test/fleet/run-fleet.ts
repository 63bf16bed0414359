/**
 * Compiles every node of a fleet and compares with what was recorded.
 *
 *   npm run fleet -- [DIR] [--only REGEXP] [--all] [--limit N] [--ruby auto|wasm|COMMAND]
 *     [--level 7|8 [--variant own|with-legacy-facts|with-settings]]
 *
 * DIR is a directory like test/recorded/fleet. `--all` also looks at files, lines, kinds and the order of resources.
 * `--level 8` compares with what OpenVox 8 gave (DIR/openvox8): with facts and settings of its own, with the legacy facts
 * of Puppet 7's agents, or with the settings of nodes.json.
 * Exits with 1 when a node differs that is not listed in known-differences.txt (of level 8: known-differences-8.txt), or a listed one does not.
 */

import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  canonicalCatalog,
  differences,
  IGNORED_BY_DEFAULT,
  MODULE_ROOTS,
  type Root,
} from '../support/canonical-catalog.ts';
import { type ExactJson, isObject } from '../support/exact-json.ts';
import { KnownDifferences } from '../support/known-differences.ts';
import { recordedLevel } from '../support/recorded-levels.ts';
import { compileNode } from './compile-node.ts';
import { Fleet, type FleetNode, type FleetVariant } from './fleet.ts';

/** Catalogs that differ in nothing else were not recorded anew. */
const VERSIONS_OF_8: readonly Root[] = [
  ['8.28.1', '7.23.0'],
  ['puppet/8.28/', 'puppet/7.23/'],
];
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    limit: { type: 'string', default: '10' },
    ruby: { type: 'string', default: 'auto' },
    level: { type: 'string', default: '7' },
    variant: { type: 'string', default: 'own' },
  },
});
const recorded = recordedLevel(options.level);
if (recorded.level.number === 9) throw new Error('no fleet was recorded with level 9');
const fleet = new Fleet(positionals[0] ?? path.resolve(import.meta.dirname, '../recorded/fleet'), {
  ruby: options.ruby,
  recorded,
  variant: variantOf(options.variant),
});
const isLevel7 = recorded.level.number === 7;
const listName = isLevel7 ? 'known-differences.txt' : `known-differences-${options.level}.txt`;
const known = new KnownDifferences(path.join(import.meta.dirname, listName));
const ignored = options.all ? new Set<never>() : IGNORED_BY_DEFAULT;
const roots: readonly Root[] = [
  [`${fleet.codeDirectory}/environments/`, ''],
  [`${fleet.codeDirectory}/`, ''],
  ...MODULE_ROOTS,
  ...(isLevel7 ? [] : VERSIONS_OF_8),
];
const only = options.only === undefined ? undefined : new RegExp(options.only);
const selected = fleet.nodes.filter(({ certname }) => only?.test(certname) ?? true);

const counts = { same: 0, known: 0, differing: 0, surprising: 0 };
for (const node of selected) report(node);
process.stdout.write(
  `${counts.same} the same, ${counts.known} known to differ, ${counts.differing} differ, ` +
    `${counts.surprising} listed but the same\n`,
);
process.exitCode = counts.differing + counts.surprising > 0 ? 1 : 0;

function variantOf(text: string): FleetVariant {
  if (text === 'own' || text === 'with-legacy-facts' || text === 'with-settings') return text;
  throw new Error(`--variant is own, with-legacy-facts or with-settings, not ${text}`);
}

/** What a node asks for that there is not: a name that the list of known differences may have. */
function needsOf(result: ExactJson): readonly string[] {
  const error = isObject(result) ? result['error'] : undefined;
  const text = isObject(error) ? String(error['message']) : '';
  return text.includes('Ruby is not available') ? ['needs:ruby'] : [];
}

function report(node: FleetNode): void {
  const { certname } = node;
  const expected = fleet.expected(node);
  if (expected === undefined) return;
  const { result, milliseconds } = compileNode(fleet, node);
  const found = [...differences(canonicalCatalog(expected, roots), canonicalCatalog(result, roots), ignored)];
  const entry = known.find([certname, ...needsOf(result)]);
  const time = `${milliseconds.toFixed(0)} ms`;
  if (found.length === 0) {
    counts.same += 1;
    if (entry !== undefined && known.isExact(entry)) {
      counts.surprising += 1;
      process.stdout.write(`${certname}: same, though listed as different\n`);
    }
    return;
  }
  if (entry !== undefined) {
    counts.known += 1;
    if (only === undefined) return;
  } else {
    counts.differing += 1;
  }
  process.stdout.write(`${certname}: ${found.length} differences (${time})\n`);
  const limit = Number(options.limit);
  for (const line of limit === 0 ? found : found.slice(0, limit)) process.stdout.write(`  ${line}\n`);
}
