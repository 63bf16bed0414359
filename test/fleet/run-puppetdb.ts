/**
 * Compares what PuppetDB gets of each node of a fleet with what the real terminus sent.
 *
 *   node test/fleet/run-puppetdb.ts [DIR] [--only REGEXP] [--limit N]
 *
 * DIR is a directory like test/recorded/fleet, with `puppetdb/CERTNAME.json.gz`. Exits with 1 when a node differs.
 */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { renderStoredCatalog } from '../../src/language/catalog/index.ts';
import { compileCatalog } from '../../src/language/evaluator/index.ts';
import { MODULE_ROOTS } from '../support/canonical-catalog.ts';
import { requestOf } from './compile-node.ts';
import { Fleet, type FleetNode } from './fleet.ts';
import { storedDifferences } from './stored-differences.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, limit: { type: 'string', default: '10' } },
});
const fleet = new Fleet(positionals[0] ?? path.resolve(import.meta.dirname, '../recorded/fleet'));
const only = options.only === undefined ? undefined : new RegExp(options.only);
const roots = [
  [`${fleet.codeDirectory}/environments/`, ''],
  [`${fleet.codeDirectory}/`, ''],
  ...MODULE_ROOTS,
] as const;

const counts = { same: 0, differing: 0, resources: 0, edges: 0 };
for (const node of fleet.nodes) if (only?.test(node.certname) ?? true) compare(node);
process.stdout.write(
  `${counts.same} the same (${counts.resources} resources, ${counts.edges} edges), ${counts.differing} differ\n`,
);
process.exitCode = counts.differing > 0 || counts.same === 0 ? 1 : 0;

function compare(node: FleetNode): void {
  const file = path.join(fleet.directory, 'puppetdb', `${node.certname}.json.gz`);
  if (!existsSync(file) || node.check_environment === true) return;
  const recorded = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'))['replace_catalog'];
  const { catalog } = compileCatalog(requestOf(fleet, node, () => {}));
  let text = `{${renderStoredCatalog(catalog)}}`;
  for (const [root, short] of roots) text = text.replaceAll(root, short);
  const ours = JSON.parse(text);
  const found = [...storedDifferences(recorded, ours)];
  counts.resources += recorded.resources.length;
  counts.edges += recorded.edges.length;
  if (found.length === 0) {
    counts.same += 1;
    return;
  }
  counts.differing += 1;
  process.stdout.write(`${node.certname}: ${found.length} differences\n`);
  for (const line of found.slice(0, Number(options.limit))) process.stdout.write(`  ${line}\n`);
}
