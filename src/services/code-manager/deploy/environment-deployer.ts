/** Makes the staged directory of one environment what its definition says. */

import { lstat, mkdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { inParallel } from '../../../lib/in-parallel.ts';
import type { Logger } from '../../../platform/log/index.ts';
import type { CodeConfiguration } from '../configuration/configuration.ts';
import { DeployError } from '../deploy-error.ts';
import type { EnvironmentContent, EnvironmentDefinition } from '../environments/environment-definition.ts';
import type { Forge } from '../forge/forge.ts';
import { unpack } from '../forge/unpack.ts';
import type { GitCaches } from '../git/git-caches.ts';
import { checkOutTracked } from '../git/tracked-checkout.ts';
import { bringModules } from '../modules/bring-modules.ts';
import type { ModuleContext, ModuleOutcome } from '../modules/module-context.ts';
import type { DeclarationContext, ModuleDeclaration } from '../modules/module-declaration.ts';
import type { PuppetfileReader } from '../puppetfile/read-puppetfile.ts';
import { declareModules } from './declare-modules.ts';
import { readDeployInfo, writeDeployInfo } from './deploy-info.ts';
import { EnvironmentState, type Origin } from './environment-state.ts';
import { globExpression } from './glob.ts';
import { purgeEnvironment, purgeModules } from './purge.ts';
import { workingDirectory } from './working-directory.ts';

export interface EnvironmentDeployerOptions {
  readonly configuration: CodeConfiguration;
  readonly caches: GitCaches;
  /** @param url - what a Puppetfile says, where it may; else the configured one */
  readonly forgeAt: (url: string | undefined) => Forge;
  readonly tarball: ModuleContext['tarball'];
  readonly puppetfiles: PuppetfileReader;
  /** Where the states of environments are. */
  readonly stateDirectory: string;
  readonly log: Logger;
  readonly now: () => Date;
}

export interface DeployChoices {
  /** Branches must be at least as new as this; monotonic milliseconds. */
  readonly sinceMs: number;
  /** Whether modules are brought, too. A new environment always gets them. */
  readonly deploysModules: boolean;
  /** Names of the only modules to bring; all when empty. */
  readonly modules: readonly string[];
}

export interface DeployedEnvironment {
  /** The commit of the control repository. */
  readonly signature: string;
}

interface Content {
  readonly signature: string;
  /** Relative; directories, too. */
  readonly tracked: readonly string[];
  readonly isNew: boolean;
}

export class EnvironmentDeployer {
  private readonly options: EnvironmentDeployerOptions;

  constructor(options: EnvironmentDeployerOptions) {
    this.options = options;
  }

  /**
   * Deploys; nothing else may do so for the same environment at the same time.
   *
   * @throws DeployError or DeployErrors; what could be brought is there nevertheless
   */
  async deploy(
    definition: EnvironmentDefinition,
    choices: DeployChoices,
    signal: AbortSignal,
  ): Promise<DeployedEnvironment> {
    const startedAt = this.options.now();
    const state = await EnvironmentState.load(this.options.stateDirectory, definition.directory);
    try {
      const content = await this.bringContent(definition, state, choices, signal);
      const isSuccess = await this.bringAll(definition, content, { state, choices, signal, startedAt });
      if (isSuccess !== undefined) throw isSuccess;
      return { signature: content.signature };
    } finally {
      await state.save();
    }
  }

  /**
   * Asks the hosts of modules that followed branches the last time, so that a deploy that has only begun to ask for the
   * environment itself does not have to wait for them. Errors go to the deploys that need them.
   *
   * @param choices - of the deploy; a deploy of some modules only asks no host
   */
  async askAhead(directory: string, choices: DeployChoices, signal: AbortSignal): Promise<void> {
    const { caches, configuration, stateDirectory } = this.options;
    if (!choices.deploysModules || choices.modules.length > 0 || !(await isDirectory(directory))) return;
    const state = await EnvironmentState.load(stateDirectory, directory);
    await inParallel(state.followedRemotes(), configuration.poolSize, (remote) =>
      caches
        .of(remote)
        .refresh(choices.sinceMs, signal)
        .catch(() => {}),
    );
  }

  /** Takes away an environment that no source has any more. */
  async remove(directory: string): Promise<void> {
    await rm(directory, { recursive: true, force: true });
    await EnvironmentState.forget(this.options.stateDirectory, directory);
  }

  /** The next deploy begins anew: somebody else changed the directory. */
  async distrust(directory: string): Promise<void> {
    await EnvironmentState.forget(this.options.stateDirectory, directory);
  }

  /** @returns what went wrong with the modules */
  private async bringAll(
    definition: EnvironmentDefinition,
    content: Content,
    run: Run,
  ): Promise<Error | undefined> {
    const { directory, title: name } = definition;
    let failure: Error | undefined;
    let modules: readonly ModuleOutcome[] = [];
    try {
      modules = await this.bringModules(definition, content, run);
    } catch (error) {
      if (run.signal.aborted) throw error;
      failure = error as Error;
    }
    const { startedAt } = run;
    const info = { name, signature: content.signature, startedAt, finishedAt: this.options.now(), modules };
    await writeDeployInfo(directory, { ...info, isSuccess: failure === undefined });
    return failure;
  }

  private async bringContent(
    definition: EnvironmentDefinition,
    state: EnvironmentState,
    choices: DeployChoices,
    signal: AbortSignal,
  ): Promise<Content> {
    const { content, directory } = definition;
    const isKnown = (await isDirectory(directory)) && isSameOrigin(content, state.content);
    if (!isKnown) await startAnew(directory, state);
    const place = { directory, state, isNew: !isKnown };
    switch (content.kind) {
      case 'git':
        return await this.bringGit(content, place, choices, signal);
      case 'tarball': {
        const { path, sha256 } = await this.options.tarball(content.location, content.checksum, signal);
        const { paths } = await unpack(path, directory, signal);
        state.content = { kind: 'tarball', checksum: sha256, excludesSpec: false };
        return { signature: content.checksum ?? sha256, tracked: paths, isNew: !isKnown };
      }
      case 'plain':
        await mkdir(directory, { recursive: true });
        state.content = { kind: 'plain' };
        return { signature: 'plain-default', tracked: [], isNew: !isKnown };
      default:
        return content satisfies never;
    }
  }

  private async bringGit(
    { ref, remote }: Extract<EnvironmentContent, { kind: 'git' }>,
    { directory, state, isNew }: { directory: string; state: EnvironmentState; isNew: boolean },
    choices: DeployChoices,
    signal: AbortSignal,
  ): Promise<Content> {
    const cache = this.options.caches.of(remote);
    const commit = (await cache.branchHead(ref)) ?? (await cache.resolve(ref, choices.sinceMs, signal));
    if (commit === undefined) throw new DeployError(`Unable to sync repo to unresolvable ref '${ref}'`);
    await checkOutTracked({ cache, tree: commit, directory, index: state.indexOf(''), signal });
    await rm(join(directory, '.git'), { recursive: true, force: true });
    state.content = { kind: 'git', remote, commit };
    return { signature: commit, tracked: await cache.trackedPaths(commit), isNew };
  }

  private async bringModules(
    definition: EnvironmentDefinition,
    content: Content,
    run: Run,
  ): Promise<readonly ModuleOutcome[]> {
    const { configuration, puppetfiles } = this.options;
    const { directory } = definition;
    const context: DeclarationContext = {
      directory,
      moduleDirectory: definition.moduleDirectory,
      excludesSpec: configuration.deploy.excludeSpec,
      defaultRef: configuration.git.defaultRef,
      defaultBranchOverride: undefined,
    };
    const puppetfile = await puppetfiles.read(definition.puppetfileName, context);
    const { modules, warnings } = declareModules(definition, puppetfile.modules, context);
    for (const warning of warnings)
      this.options.log.warn({ environment: definition.name, warning }, 'deploy');
    if (!content.isNew && !run.choices.deploysModules && run.choices.modules.length === 0)
      return await knownOutcomes(directory);
    const outcomes = await this.bringChosen(definition, modules, puppetfile.forge, run);
    await this.purge(definition, content, modules);
    forgetOthers(run.state, modules, directory);
    return outcomes;
  }

  private async bringChosen(
    definition: EnvironmentDefinition,
    modules: readonly ModuleDeclaration[],
    forgeUrl: string | undefined,
    run: Run,
  ): Promise<readonly ModuleOutcome[]> {
    const { caches, configuration, forgeAt, log, tarball } = this.options;
    const { directory } = definition;
    const { signal, state, choices } = run;
    const temporaryDirectory = join(dirname(dirname(directory)), workingDirectory);
    const context: ModuleContext = {
      caches,
      tarball,
      forge: forgeAt(configuration.forge.allowPuppetfileOverride ? forgeUrl : undefined),
      controlBranch: definition.content.kind === 'git' ? definition.content.ref : undefined,
      sinceMs: choices.sinceMs,
      state,
      directory,
      temporaryDirectory,
      restorer: caches.restorer(),
      log,
      signal,
    };
    const isChosen = ({ name }: ModuleDeclaration) =>
      choices.modules.length === 0 || choices.modules.includes(name);
    const outcomes = await bringModules(modules.filter(isChosen), context, configuration.poolSize);
    if (choices.modules.length === 0) return outcomes;
    const others = (await knownOutcomes(directory)).filter(({ name }) => !choices.modules.includes(name));
    const all = new Map([...others, ...outcomes].map((outcome) => [outcome.name, outcome]));
    return modules.flatMap(({ name }) => all.get(name) ?? []);
  }

  private async purge(
    { directory, name }: EnvironmentDefinition,
    { tracked }: Content,
    modules: readonly ModuleDeclaration[],
  ): Promise<void> {
    const { purgeAllowlist, purgeLevels } = this.options.configuration.deploy;
    const managed = new Set(modules.map((module) => dirname(module.directory)));
    managed.delete(directory);
    const purge = {
      managed,
      desired: new Set(modules.map((module) => module.directory)),
      kept: new Set(tracked.map((path) => join(directory, path))),
    };
    const removed: string[] = [];
    if (purgeLevels.includes('puppetfile')) removed.push(...(await purgeModules(purge)));
    if (purgeLevels.includes('environment')) {
      const allowed = purgeAllowlist.map(globExpression);
      removed.push(...(await purgeEnvironment({ ...purge, directory, allowed })));
    }
    if (removed.length > 0)
      this.options.log.info(
        { environment: name, paths: removed.map((path) => relative(directory, path)) },
        'removed unmanaged content',
      );
  }
}

interface Run {
  readonly state: EnvironmentState;
  readonly choices: DeployChoices;
  readonly signal: AbortSignal;
  readonly startedAt: Date;
}

function isSameOrigin(content: EnvironmentContent, origin: Origin | undefined): boolean {
  if (content.kind !== origin?.kind) return false;
  if (content.kind === 'git') return origin.kind === 'git' && origin.remote === content.remote;
  if (content.kind === 'tarball')
    return origin.kind === 'tarball' && (content.checksum ?? origin.checksum) === origin.checksum;
  return true;
}

/** An environment that came from elsewhere, or that is not there: nothing of it is kept. */
async function startAnew(directory: string, state: EnvironmentState): Promise<void> {
  const index = state.indexOf('');
  await rm(directory, { recursive: true, force: true });
  await Promise.all(['', '.lock', '.pending'].map((suffix) => rm(index + suffix, { force: true })));
  state.content = undefined;
  state.modules.clear();
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** What the last deploy said of the modules, for a deploy that does not touch them. */
async function knownOutcomes(directory: string): Promise<readonly ModuleOutcome[]> {
  const known = (await readDeployInfo(directory))?.['module_deploys'];
  return Array.isArray(known) ? (known as readonly ModuleOutcome[]) : [];
}

function forgetOthers(
  state: EnvironmentState,
  modules: readonly ModuleDeclaration[],
  directory: string,
): void {
  const keys = new Set(modules.map((module) => relative(directory, module.directory)));
  for (const key of state.modules.keys()) if (!keys.has(key)) state.modules.delete(key);
}
