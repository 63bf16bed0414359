/** A control repository whose branches are environments. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { GitSourceConfiguration } from '../configuration/configuration.ts';
import type { GitCache } from '../git/git-cache.ts';
import type { EnvironmentDefinition, SourceListing } from './environment-definition.ts';
import { type EnvironmentName, environmentName } from './environment-name.ts';

const filterTimeoutMs = 30_000;

/** @param basedir - where the source's environments go */
export async function listBranches(
  source: GitSourceConfiguration,
  basedir: string,
  cache: GitCache,
): Promise<SourceListing> {
  const warnings: string[] = [];
  const environments: EnvironmentDefinition[] = [];
  for (const branch of await cache.branches()) {
    if (source.ignoreBranchPrefixes.some((prefix) => branch.startsWith(prefix))) {
      warnings.push(
        `Branch ${branch} filtered out by ignore_branch_prefixes ${JSON.stringify(source.ignoreBranchPrefixes)}`,
      );
      continue;
    }
    const name = environmentName(branch, source, source.invalidBranches);
    if (name === undefined) {
      warnings.push(`Environment ${JSON.stringify(branch)} contained non-word characters, ignoring it.`);
      continue;
    }
    if (!(await passesFilter(source, branch, cache))) {
      warnings.push(
        `Branch \`${source.name}:${branch}\` filtered out by filter_command ${source.filterCommand}`,
      );
      continue;
    }
    if (name.isCorrected && source.invalidBranches === 'correct_and_warn')
      warnings.push(
        `Environment ${JSON.stringify(name.derived)} contained non-word characters, correcting name to ${name.name}`,
      );
    environments.push(definitionOf(source, basedir, name, branch));
  }
  return { environments, warnings };
}

function definitionOf(
  source: GitSourceConfiguration,
  basedir: string,
  { derived, name }: EnvironmentName,
  branch: string,
): EnvironmentDefinition {
  return {
    name,
    title: derived,
    source: source.name,
    directory: join(basedir, name),
    content: { kind: 'git', remote: source.remote, ref: branch },
    puppetfileName: source.puppetfileName,
    modules: new Map(),
    moduleDirectory: 'modules',
    moduleConflicts: 'override_and_warn',
  };
}

/** The operator's own command, run by a shell as r10k does; the branch's name is in its environment only. */
function passesFilter(source: GitSourceConfiguration, branch: string, cache: GitCache): Promise<boolean> {
  const { filterCommand, name } = source;
  if (filterCommand === undefined || filterCommand === '') return Promise.resolve(true);
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', filterCommand], {
      env: {
        ...cache.commandEnvironment,
        GIT_DIR: cache.directory,
        R10K_BRANCH: branch,
        R10K_NAME: name,
      },
      stdio: 'ignore',
      timeout: filterTimeoutMs,
      killSignal: 'SIGKILL',
    });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}
