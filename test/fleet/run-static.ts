/**
 * Compiles static catalogs of a fleet and compares with what was recorded in its directory `static`.
 *
 *   npm run fleet -- [DIR] [--only REGEXP] [--ruby auto|wasm|COMMAND]
 *
 * Runs after the other catalogs. Sets the exit code to 1 when one differs.
 */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { renderCatalog } from '../../src/language/catalog/index.ts';
import { defaultLanguageSettings } from '../../src/language/environment/index.ts';
import { compileCatalog } from '../../src/language/evaluator/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import { ServiceError } from '../../src/lib/service-error.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { fileMetadata } from '../../src/server/compiler/file-metadata.ts';
import { StaticCatalogs } from '../../src/services/compiler/index.ts';
import { sourcedFiles } from '../../src/services/compiler/sourced-files.ts';
import { EnvironmentRegistry } from '../../src/services/environments/index.ts';
import { FileServer } from '../../src/services/fileserver/index.ts';
import { canonicalCatalog, differences, MODULE_ROOTS } from '../support/canonical-catalog.ts';
import { canonicalMetadata } from '../support/canonical-metadata.ts';
import { type ExactJson, isObject, parseExactJson } from '../support/exact-json.ts';
import { requestOf } from './compile-node.ts';
import { Fleet, type FleetNode } from './fleet.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    all: { type: 'boolean' },
    limit: { type: 'string' },
    ruby: { type: 'string', default: 'auto' },
    level: { type: 'string' },
  },
});
const fleet = new Fleet(positionals[0] ?? path.resolve(import.meta.dirname, '../recorded/fleet'), {
  ruby: options.ruby,
});
const only = options.only === undefined ? undefined : new RegExp(options.only);
const roots = [
  [`${path.dirname(fleet.environment('production').config.directory)}/`, ''],
  ...MODULE_ROOTS,
] as const;

const counts = { same: 0, differing: 0 };
for (const node of fleet.nodes) {
  const expected = recorded(node);
  if (expected === undefined || only?.test(node.certname) === false) continue;
  const found = [
    ...differences(canonicalCatalog(expected, roots), canonicalCatalog(await compileStatic(node), roots)),
  ];
  counts[found.length === 0 ? 'same' : 'differing'] += 1;
  if (found.length === 0) continue;
  process.stdout.write(`${node.certname}: ${found.length} differences in its static catalog\n`);
  for (const line of found.slice(0, 10)) process.stdout.write(`  ${line}\n`);
}
process.stdout.write(`static catalogs: ${counts.same} the same, ${counts.differing} differ\n`);
if (counts.differing > 0) process.exitCode = 1;

function recorded({ certname }: FleetNode): ExactJson | undefined {
  const file = path.join(fleet.directory, 'static', `${certname}.json`);
  if (existsSync(file)) return parseExactJson(readFileSync(file, 'utf8'));
  if (!existsSync(`${file}.gz`)) return undefined;
  return parseExactJson(gunzipSync(readFileSync(`${file}.gz`)).toString('utf8'));
}

/** As a server does for an agent whose checksum types are sha256, sha256lite and md5. */
async function compileStatic(node: FleetNode): Promise<ExactJson> {
  try {
    const request = requestOf(fleet, node, () => undefined);
    const { catalog } = compileCatalog(request);
    const { config } = request.environment;
    const bytes = await new StaticCatalogs(fileMetadata(await fileServer(config.directory))).inline({
      certname: node.certname,
      catalog: new TextEncoder().encode(renderCatalog(catalog, 'application/vnd.puppet.rich+json')),
      files: sourcedFiles(catalog),
      config,
      checksumType: 'sha256',
    });
    return withCanonicalMetadata(parseExactJson(new TextDecoder().decode(bytes)));
  } catch (error) {
    if (!(error instanceof PuppetError) && !(error instanceof ServiceError)) throw error;
    return { error: { message: `Server Error: ${error.message}` } };
  }
}

function withCanonicalMetadata(catalog: ExactJson): ExactJson {
  if (!isObject(catalog)) return catalog;
  const members = (['metadata', 'recursive_metadata'] as const).flatMap((name) => {
    const value = catalog[name];
    return value === undefined ? [] : [[name, canonicalMetadata(value)] as const];
  });
  return { ...catalog, ...Object.fromEntries(members) };
}

async function fileServer(directory: string): Promise<FileServer> {
  const registry = new EnvironmentRegistry({
    environmentPath: path.dirname(directory),
    defaults: {
      basemodulepath: ['/usr/share/puppet/modules'],
      defaultManifest: './manifests',
      disablePerEnvironmentManifest: false,
      variables: {},
    },
    staticCatalogs: true,
    language: () => defaultLanguageSettings,
    log: silentLogger,
    now: () => 0,
  });
  const { codeId, modulePath, modules } = await registry.load({
    environment: path.basename(directory),
    codeId: null,
    directory,
    logicalDirectory: directory,
  });
  return new FileServer({
    codeDirectory: '/nowhere/code',
    code: { withVersion: () => ({ codeId, modules, modulePath, directory, logicalDirectory: directory }) },
    log: silentLogger,
    fileserverConf: '/nowhere',
    owner: { uid: 0, gid: 0 },
    now: Date.now,
    steadyMs: () => performance.now(),
  });
}
