/** Modules that are an archive at some place. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unpack } from '../forge/unpack.ts';
import type { ModuleContext, ModuleOutcome } from './module-context.ts';
import type { TarballModule } from './module-declaration.ts';
import { clear, exists, keyOf, prepareParent, replace, temporaryPath } from './module-directory.ts';

/** @throws DeployError when the archive can't be had or is not what its checksum says */
export async function bringTarballModule(
  module: TarballModule,
  context: ModuleContext,
): Promise<ModuleOutcome> {
  const { path, sha256 } = await context.tarball(module.location, module.checksum, context.signal);
  const key = keyOf(module, context);
  const { excludesSpec } = module;
  const before = context.state.modules.get(key);
  const isThere =
    before?.kind === 'tarball' && before.checksum === sha256 && before.excludesSpec === excludesSpec;
  if (!isThere || !(await exists(module.directory))) await install(module, path, context);
  context.state.modules.set(key, { kind: 'tarball', checksum: sha256, excludesSpec });
  return { name: module.name, version: module.checksum ?? '(present)', sha: null };
}

async function install(module: TarballModule, archive: string, context: ModuleContext): Promise<void> {
  const temporary = temporaryPath(context);
  try {
    await unpack(archive, temporary, context.signal);
    if (module.excludesSpec) await rm(join(temporary, 'spec'), { recursive: true, force: true });
    await prepareParent(module, context);
    await clear(module, context.state.indexOf(keyOf(module, context)));
    await replace(temporary, module);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
