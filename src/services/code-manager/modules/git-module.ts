/** Modules that are git repositories. */

import { join } from 'node:path';
import { DeployError } from '../deploy-error.ts';
import type { GitCache } from '../git/git-cache.ts';
import { checkOutTracked, isUnderWay } from '../git/tracked-checkout.ts';
import type { ModuleContext, ModuleOutcome } from './module-context.ts';
import type { GitModule } from './module-declaration.ts';
import { clear, exists, keyOf, prepareParent } from './module-directory.ts';

/** @throws DeployError when the repository or the reference can't be had */
export async function bringGitModule(module: GitModule, context: ModuleContext): Promise<ModuleOutcome> {
  const cache = context.caches.of(module.remote);
  const { ref, commit } = await resolveRef(module, cache, context);
  const key = keyOf(module, context);
  const index = context.state.indexOf(key);
  const before = context.state.modules.get(key);
  await prepareParent(module, context);
  if (before?.kind !== 'git' || before.remote !== module.remote || !(await exists(module.directory)))
    await clear(module, index);
  // A `.git` there is another program's: git itself would never look at it, but people might.
  else await clear({ ...module, directory: join(module.directory, '.git') });
  const tree = module.excludesSpec ? await cache.treeWithout(commit, 'spec') : commit;
  const checkout = { cache, tree, directory: module.directory, index, signal: context.signal };
  const isSame = before?.kind === 'git' && before.remote === module.remote && before.commit === commit;
  if (isSame && (await exists(module.directory)) && !(await isUnderWay(checkout)))
    context.restorer.add(checkout);
  else await checkOutTracked(checkout);
  const isFollowed = !(await cache.isPinned(ref));
  context.state.modules.set(key, { kind: 'git', remote: module.remote, commit, isFollowed });
  return { name: module.name, version: ref, sha: commit };
}

interface Resolved {
  readonly ref: string;
  readonly commit: string;
}

/** The first of reference, override, fallbacks and default that exists. */
async function resolveRef(module: GitModule, cache: GitCache, context: ModuleContext): Promise<Resolved> {
  const wanted = module.ref ?? context.controlBranch;
  const candidates = [wanted, module.defaultOverride, ...module.fallbacks, module.defaultRef];
  for (const ref of candidates) {
    if (ref === undefined) continue;
    const commit = await cache.resolve(ref, context.sinceMs, context.signal);
    if (commit !== undefined) return { ref, commit };
  }
  throw new DeployError(unresolvable(module, wanted));
}

function unresolvable({ name, defaultOverride, defaultRef }: GitModule, wanted: string | undefined): string {
  const parts = [`Unable to manage Puppetfile content '${name}':`];
  parts.push(
    wanted === undefined
      ? 'Could not resolve control repo branch'
      : `Could not resolve desired ref '${wanted}'`,
  );
  if (defaultOverride !== undefined)
    parts.push(`or resolve the default branch override '${defaultOverride}',`);
  parts.push(defaultRef === undefined ? 'and no default provided' : `or resolve default ref '${defaultRef}'`);
  return parts.join(' ');
}
