/** Modules that were released on a forge. */

import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EnvironmentState } from '../deploy/environment-state.ts';
import { DeployError } from '../deploy-error.ts';
import { unpack } from '../forge/unpack.ts';
import type { ModuleContext, ModuleOutcome } from './module-context.ts';
import type { ForgeModule } from './module-declaration.ts';
import { clear, keyOf, prepareParent, replace, temporaryPath } from './module-directory.ts';

/** @throws DeployError when the module or its release can't be had */
export async function bringForgeModule(module: ForgeModule, context: ModuleContext): Promise<ModuleOutcome> {
  const slug = `${module.owner}-${module.name}`;
  const key = keyOf(module, context);
  const present = await presentVersion(module, slug, context.state, key);
  const version = await wantedVersion(module, slug, present, context);
  if (present !== version) await install(module, slug, version, context);
  context.state.modules.set(key, { kind: 'forge', slug, version, excludesSpec: module.excludesSpec });
  return { name: module.name, version, sha: null };
}

async function wantedVersion(
  module: ForgeModule,
  slug: string,
  present: string | undefined,
  context: ModuleContext,
): Promise<string> {
  const { version } = module;
  if (version !== undefined && version !== 'latest') return version;
  if (version === undefined && present !== undefined) return present;
  return await context.forge.latestVersion(slug, context.signal);
}

/** The version that lies there, when we know that it came from a forge and is whole. */
async function presentVersion(
  { directory, excludesSpec }: ForgeModule,
  slug: string,
  state: EnvironmentState,
  key: string,
): Promise<string | undefined> {
  const before = state.modules.get(key);
  if (before?.kind !== 'forge' || before.slug !== slug || before.excludesSpec !== excludesSpec)
    return undefined;
  const text = await readFile(join(directory, 'metadata.json'), 'utf8').catch(() => '');
  return versionIn(text) === before.version ? before.version : undefined;
}

function versionIn(metadata: string): unknown {
  try {
    return (JSON.parse(metadata) as { readonly version?: unknown } | null)?.version;
  } catch {
    return undefined;
  }
}

async function install(
  module: ForgeModule,
  slug: string,
  version: string,
  context: ModuleContext,
): Promise<void> {
  const { log, signal } = context;
  const archive = await context.forge.archive(slug, version, signal);
  const temporary = temporaryPath(context);
  try {
    const { paths, skipped } = await unpack(archive, temporary, signal);
    if (skipped.length > 0) log.warn({ module: slug, version, skipped }, 'links in a module are left out');
    const root = join(temporary, rootOf(paths, archive));
    if (module.excludesSpec) await rm(join(root, 'spec'), { recursive: true, force: true });
    await prepareParent(module, context);
    await clear(module, context.state.indexOf(keyOf(module, context)));
    await replace(root, module);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Where the shortest path of a `metadata.json` is. */
function rootOf(paths: readonly string[], archive: string): string {
  const [found] = paths
    .filter((path) => path === 'metadata.json' || path.endsWith('/metadata.json'))
    .sort((a, b) => a.length - b.length);
  if (found === undefined) throw new DeployError(`${archive}: No valid metadata.json found!`);
  return dirname(found);
}
