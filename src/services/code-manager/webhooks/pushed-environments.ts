/** From a push to the environments that it changes. */

import { withoutTrailingSlashes } from '../../../lib/trailing-slashes.ts';
import type { GitSourceConfiguration, SourceConfiguration } from '../configuration/configuration.ts';
import { correctedName, environmentName, prefixOf } from '../environments/environment-name.ts';
import type { Push } from './push.ts';

/**
 * @param prefix - the query parameter: environments of the source with that prefix, whatever the repository
 * @returns names of environments, which need not exist any more
 */
export function pushedEnvironments(
  push: Push,
  sources: readonly SourceConfiguration[],
  prefix: string | undefined,
): readonly string[] {
  const names = push.branches.flatMap((branch) => namesOf(branch, push, sources, prefix));
  return [...new Set(names)];
}

function namesOf(
  branch: string,
  push: Push,
  sources: readonly SourceConfiguration[],
  prefix: string | undefined,
): readonly string[] {
  const git = sources.filter((source) => source.kind === 'git');
  if (prefix !== undefined && prefix !== '') {
    const chosen = git.filter((source) => prefixOf(source) === `${prefix}_`);
    return chosen.length > 0 ? derive(branch, chosen) : [correctedName(`${prefix}_${branch}`)];
  }
  const wanted = new Set(push.remotes.map(comparable));
  const same = git.filter(({ remote }) => wanted.has(comparable(remote)));
  if (same.length > 0) return derive(branch, same);
  // The host may use another name for the repository: then it is treated as the only control repository.
  const plain = git.filter((source) => prefixOf(source) === '');
  return derive(branch, plain.length > 0 ? plain : git);
}

function derive(branch: string, sources: readonly GitSourceConfiguration[]): readonly string[] {
  return sources.flatMap((source) => environmentName(branch, source, source.invalidBranches)?.name ?? []);
}

/** `git@host:group/name.git` and `https://host/group/name` are one repository. */
function comparable(remote: string): string {
  const path = remote
    .replace(/^[\w+.-]+:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(\d+\/)?/, '$1/')
    .replace(/\.git\/?$/, '');
  return withoutTrailingSlashes(path)
    .replace(/^([^/]+)\/+scm\//, '$1/')
    .toLowerCase();
}
