/** Brings modules, several at a time. One that fails does not keep the others away. */

import { DeployErrors } from '../deploy-error.ts';
import { bringForgeModule } from './forge-module.ts';
import { bringGitModule } from './git-module.ts';
import type { ModuleContext, ModuleOutcome } from './module-context.ts';
import type { ModuleDeclaration } from './module-declaration.ts';
import { bringTarballModule } from './tarball-module.ts';

/** @returns outcomes in the order of the modules @throws DeployErrors with everything that went wrong */
export async function bringModules(
  modules: readonly ModuleDeclaration[],
  context: ModuleContext,
  poolSize: number,
): Promise<readonly ModuleOutcome[]> {
  const outcomes: ModuleOutcome[] = [];
  const errors: Error[] = [];
  const left = [...modules.entries()];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, module] = next;
      try {
        outcomes[index] = await bring(module, context);
      } catch (error) {
        if (context.signal.aborted) throw context.signal.reason;
        errors.push(error as Error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(poolSize, modules.length) }, work));
  await context.restorer.end().catch((error: unknown) => {
    if (context.signal.aborted) throw context.signal.reason;
    errors.push(error as Error);
  });
  if (errors.length > 0) throw new DeployErrors(errors);
  return outcomes;
}

function bring(module: ModuleDeclaration, context: ModuleContext): Promise<ModuleOutcome> | ModuleOutcome {
  switch (module.kind) {
    case 'git':
      return bringGitModule(module, context);
    case 'forge':
      return bringForgeModule(module, context);
    case 'tarball':
      return bringTarballModule(module, context);
    case 'local':
      return { name: module.name, version: '0.0.0 (local)', sha: null };
    default:
      return module satisfies never;
  }
}
