/** Takes requests to deploy, does them in turn, and knows what has become of them. */

import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KeyedQueue } from '../../lib/keyed-queue.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Author, Change } from '../../platform/changes/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type Deploy, type DeployFailure, failureKinds, renderFailure } from './deploy/deploy.ts';
import { recordDeploy, recordRollback } from './deploy/deploy-changes.ts';
import type { DeployRequest, Terms } from './deploy/deploy-request.ts';
import { messageWith } from './deploy/deploy-signature.ts';
import { messagesOf } from './deploy/failure-messages.ts';
import { findEarlier } from './deploy/find-earlier.ts';
import { runPostrun } from './deploy/postrun.ts';
import { findStaleEnvironments, renderKept } from './deploy/stale-environments.ts';
import { UnfinishedDeploys } from './deploy/unfinished-deploys.ts';
import { workingDirectory } from './deploy/working-directory.ts';
import { DeployError, DeployErrors, isCacheDamaged } from './deploy-error.ts';
import type { Engine } from './engine.ts';
import type { EnvironmentDefinition } from './environments/environment-definition.ts';
import { correctedName } from './environments/environment-name.ts';
import type { Listing } from './environments/sources.ts';
import type { CodeCheck, CodeStorage, EnvironmentUse } from './termini.ts';

const attempts = 3;

export interface CodeManagerOptions {
  readonly engine: Engine;
  readonly storage: CodeStorage;
  readonly check: CodeCheck;
  readonly use: EnvironmentUse;
  readonly stagingDirectory: string;
  /** What has to survive the process. */
  readonly stateDirectory: string;
  /** How many environments are deployed at the same time. */
  readonly deployPoolSize: number;
  readonly deployTimeoutMs: number;
  /** How long servers may take to serve what was deployed, where somebody waits for it. */
  readonly syncTimeoutMs: number;
  /** How long deploys that have ended are remembered. */
  readonly deployTtlMs: number;
  /** Of commands that are run after deploys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Keeps who deployed what. Never rejects. */
  readonly record: (change: Change) => Promise<void>;
  readonly log: Logger;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

/** A deploy that has not ended, and what is wanted of it. */
interface Pending {
  deploy: Deploy;
  terms: Terms;
  /** Those who asked for it. */
  readonly authors: Author[];
  /** What was asked later is not satisfied by what was fetched before. */
  sinceMs: number;
  readonly ended: Promise<Deploy>;
}

export class CodeManager {
  private readonly options: CodeManagerOptions;
  private readonly places: Semaphore;
  private readonly unfinished: UnfinishedDeploys;
  /** By environment: at most one that waits and one that runs. */
  private readonly waiting = new Map<string, Pending>();
  private readonly running = new Map<string, Pending>();
  private readonly finished: Deploy[] = [];
  /** Nothing else is done to an environment while it is deployed or rolled back. */
  private readonly locks = new KeyedQueue();
  private readonly stopping = new AbortController();
  /** What sources had when they were asked last. */
  private latest: Listing | undefined;
  private lastId = 0;
  private current: Engine;
  /** Replaces the current one as soon as that is not in use. */
  private next: Engine | undefined;
  private users = 0;

  constructor(options: CodeManagerOptions) {
    this.options = options;
    this.current = options.engine;
    this.places = new Semaphore(options.deployPoolSize);
    this.unfinished = new UnfinishedDeploys(join(options.stateDirectory, 'unfinished'), options.storage);
  }

  /** Removes what a process that was killed has left, and knows what it has left half done. */
  async prepare(): Promise<void> {
    for (const basedir of this.current.sources.basedirs)
      await rm(join(dirname(basedir), workingDirectory), { recursive: true, force: true });
    await this.unfinished.load();
  }

  /**
   * Hands in a deploy for each environment; what waits already is joined.
   *
   * @returns the deploys as they are now, and a promise of how they end
   */
  deploy(request: DeployRequest): {
    readonly queued: readonly Deploy[];
    readonly ended: Promise<readonly Deploy[]>;
  } {
    this.refuseWhenLocked();
    const { author, environments, ...terms } = request;
    const sinceMs = this.options.monotonicMs();
    const names = [...new Set(environments.map(correctedName))];
    const all = names.map((name) => this.enqueue(name, terms, sinceMs, author));
    const ended = Promise.all(all.map((pending) => pending.ended)).then(async (deploys) => {
      await this.runPostrun(names);
      return deploys;
    });
    return { queued: all.map(({ deploy }) => deploy), ended };
  }

  /** The environments that sources have now. */
  async list(signal: AbortSignal): Promise<Listing> {
    const sinceMs = this.options.monotonicMs();
    return await this.withEngine(({ sources }) => sources.list(sinceMs, this.limited(signal)));
  }

  /** What waits, runs and has ended not long ago. */
  deploys(): readonly Deploy[] {
    this.forgetOld();
    const pending = [...this.running.values(), ...this.waiting.values()].map(({ deploy }) => deploy);
    return [...this.finished, ...pending].sort((a, b) => a.id - b.id);
  }

  /**
   * Serves an earlier version of an environment until its next deploy.
   *
   * @param to - the beginning of a commit's id, of file sync or of the control repository; the version before when absent
   * @throws ServiceError `not-found` when there is none, `bad-request` when several begin so
   */
  async rollBack(
    environment: string,
    to: string | undefined,
    author: Author,
    signal: AbortSignal,
  ): Promise<RolledBack> {
    const done = await this.locks.run([environment], () =>
      this.withEngine(() => this.rollBackNow(environment, to, signal)),
    );
    await recordRollback(this.options, done, author);
    return done;
  }

  private async rollBackNow(
    environment: string,
    to: string | undefined,
    signal: AbortSignal,
  ): Promise<RolledBack> {
    const { storage, stagingDirectory, syncTimeoutMs } = this.options;
    const { commit, signature } = findEarlier(storage, environment, to);
    await this.unfinished.begin(environment);
    await storage.activate(environment, commit);
    const isServed = await storage.waitUntilServed(environment, commit, syncTimeoutMs, signal);
    // The staging directory follows, so that a commit of everything does not bring back what was taken back.
    await storage.restoreStaging(environment);
    await this.current.deployer.distrust(join(stagingDirectory, 'environments', environment));
    await this.unfinished.end(environment);
    this.options.log.info({ environment, commit }, 'rolled back');
    return { environment, commit, signature, isServed };
  }

  /** Ends what runs. Deploys that were ended are taken up by the next one. */
  async stop(): Promise<void> {
    this.stopping.abort(new DeployError('The server is shutting down'));
    await Promise.all([...this.running.values(), ...this.waiting.values()].map(({ ended }) => ended));
  }

  /** What deploys are made with. */
  get engine(): Engine {
    return this.current;
  }

  /** Uses another configuration for deploys that begin from now on. Two must never share the caches. */
  reconfigure(engine: Engine): void {
    this.next = engine;
    this.changeEngine();
  }

  private changeEngine(): void {
    if (this.users > 0 || this.next === undefined) return;
    this.current = this.next;
    this.next = undefined;
    this.latest = undefined;
  }

  private async withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    this.users += 1;
    try {
      return await work(this.current);
    } finally {
      this.users -= 1;
      this.changeEngine();
    }
  }

  get storage(): CodeStorage {
    return this.options.storage;
  }

  private refuseWhenLocked(): void {
    const { writeLock } = this.current.configuration.deploy;
    if (writeLock === undefined) return;
    throw new ServiceError(
      'conflict',
      `Making changes to deployed environments has been administratively disabled.\nReason: ${writeLock}`,
      { kind: 'puppetlabs.code-manager/write-lock' },
    );
  }

  private enqueue(environment: string, terms: Terms, sinceMs: number, author: Author): Pending {
    const known = this.waiting.get(environment);
    if (known !== undefined) {
      known.sinceMs = sinceMs;
      known.terms = joined(known.terms, terms);
      known.authors.push(author);
      return known;
    }
    this.lastId += 1;
    const deploy: Deploy = { id: this.lastId, environment, status: 'queued', queuedAt: this.options.now() };
    const before = this.running.get(environment)?.ended ?? Promise.resolve();
    const { promise: ended, resolve } = Promise.withResolvers<Deploy>();
    const pending: Pending = { deploy, terms, authors: [author], sinceMs, ended };
    this.waiting.set(environment, pending);
    const withdraw = this.options.storage.announce(environment);
    void before
      .then(() => this.run(pending))
      .then((deployed) => {
        withdraw();
        resolve(deployed);
      });
    return pending;
  }

  /** Never rejects: what goes wrong is how the deploy ended. */
  private async run(pending: Pending): Promise<Deploy> {
    const { environment } = pending.deploy;
    const began = this.options.monotonicMs();
    const outcome = await this.perform(pending).catch((error: unknown) => this.failureOf(environment, error));
    const status = outcome.error === undefined ? 'complete' : 'failed';
    const deploy: Deploy = { ...pending.deploy, ...outcome, status, finishedAt: this.options.now() };
    if (this.running.get(environment) === pending) this.running.delete(environment);
    this.finished.push(deploy);
    this.forgetOld();
    const durationMs = Math.round(this.options.monotonicMs() - began);
    const fields = { environment, signature: deploy.signature, durationMs };
    if (deploy.error === undefined) this.options.log.info(fields, 'deployed environment');
    else this.options.log.warn({ ...fields, reason: deploy.error.message }, 'could not deploy environment');
    await recordDeploy(this.options, deploy, pending.authors);
    return deploy;
  }

  private async perform(pending: Pending): Promise<Partial<Deploy>> {
    const { environment } = pending.deploy;
    const outcome = await this.places.run(() => {
      // Requests from now on want the next deploy.
      this.waiting.delete(environment);
      this.running.set(environment, pending);
      pending.deploy = { ...pending.deploy, status: 'deploying' };
      return this.locks.run([environment], () => this.withEngine(() => this.bringSoundly(pending)));
    });
    // Servers that are slow to follow do not delay other deploys.
    return outcome.fileSync === undefined ? outcome : await this.awaitServers(environment, outcome);
  }

  /** What is damaged on the way is brought anew: first perhaps a source, then modules. */
  private async bringSoundly(pending: Pending): Promise<Partial<Deploy>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.bring(pending);
      } catch (error) {
        if (!isCacheDamaged(error) || attempt === attempts) throw error;
        this.options.log.warn({ err: error }, 'fetching again what was damaged');
      }
    }
  }

  /** From the sources to what is committed, with the hosts of modules being asked meanwhile. */
  private async bring(pending: Pending): Promise<Partial<Deploy>> {
    const signal = this.limited(AbortSignal.timeout(this.options.deployTimeoutMs));
    const ended = new AbortController();
    const { deployer, sources } = this.current;
    const choices = { sinceMs: pending.sinceMs, ...pending.terms };
    for (const basedir of sources.basedirs)
      void deployer
        .askAhead(join(basedir, pending.deploy.environment), choices, AbortSignal.any([signal, ended.signal]))
        .catch((err: unknown) => this.options.log.debug({ err }, 'could not ask hosts of modules ahead'));
    try {
      return await this.bringFromSources(pending, signal);
    } finally {
      ended.abort();
    }
  }

  private async bringFromSources(pending: Pending, signal: AbortSignal): Promise<Partial<Deploy>> {
    const { environment } = pending.deploy;
    const { sinceMs, terms } = pending;
    const listing = await this.current.sources.list(sinceMs, signal);
    if (listing.sinceMs >= (this.latest?.sinceMs ?? 0)) this.latest = listing;
    const collision = listing.collisions.get(environment);
    if (collision !== undefined) throw new DeployError(collision);
    const purged = await this.purgeStale(pending, listing, signal);
    const definitions = listing.environments.filter(({ name }) => name === environment);
    if (definitions.length === 0) return await this.endOfMissing(environment, listing, purged);
    await this.unfinished.begin(environment);
    const signatures = new Map<EnvironmentDefinition, string>();
    for (const definition of definitions) {
      const deployed = await this.current.deployer.deploy(definition, { sinceMs, ...terms }, signal);
      signatures.set(definition, deployed.signature);
    }
    const served = definitions.find(({ directory }) => this.isStagedEnvironment(directory));
    const signature = signatures.get(served ?? definitions[0] ?? never());
    const isServed = served !== undefined && signature !== undefined;
    const outcome = isServed ? await this.commit(served, signature, terms, signal) : { signature };
    await this.unfinished.end(environment);
    return warned(outcome, purged);
  }

  private async commit(
    { directory, name }: EnvironmentDefinition,
    signature: string,
    terms: Terms,
    signal: AbortSignal,
  ): Promise<Partial<Deploy>> {
    const { check, storage } = this.options;
    if (terms.isValidated) {
      const nodes = terms.validatedNodes;
      const findings = await check.check({ environment: name, directory, nodes, signal });
      if (findings.length > 0) {
        await this.takeBack(name, directory);
        return { signature, error: failure(name, failureKinds.validation, findings) };
      }
    }
    const commit = await storage.commit(name, messageWith(signature, name));
    return { signature, fileSync: { environmentCommit: commit, codeCommit: commit } };
  }

  private async awaitServers(environment: string, outcome: Partial<Deploy>): Promise<Partial<Deploy>> {
    const { storage, syncTimeoutMs } = this.options;
    const commit = outcome.fileSync?.environmentCommit ?? '';
    const { signal } = this.stopping;
    if (await storage.waitUntilServed(environment, commit, syncTimeoutMs, signal)) return outcome;
    const behind = storage.servers().filter(({ serving }) => serving[environment] !== commit);
    const names = behind.map(({ certname }) => certname).join(', ');
    const message = `Timed out after ${syncTimeoutMs / 1000} seconds waiting for servers to serve the code: ${names}`;
    return { ...outcome, error: failure(environment, failureKinds.sync, [message]) };
  }

  /** What is not fit to be served must not be in the way of the next commit of everything. */
  private async takeBack(environment: string, directory: string): Promise<void> {
    const { storage } = this.options;
    await this.current.deployer.distrust(directory);
    if (storage.current()[environment] === undefined) await rm(directory, { recursive: true, force: true });
    else await storage.restoreStaging(environment);
  }

  /** An environment that no source has: the deploy was its removal, or a mistake of the request. */
  private async endOfMissing(
    environment: string,
    listing: Listing,
    purged: Purged,
  ): Promise<Partial<Deploy>> {
    if (listing.failures.length > 0) throw new DeployErrors(listing.failures.map(({ error }) => error));
    const kept = purged.kept.get(environment);
    if (kept !== undefined) throw new DeployError(kept);
    await this.unfinished.end(environment);
    if (purged.removed.includes(environment)) return warned({}, purged);
    throw new DeployError(
      `Environment(s) '${environment}' cannot be found in any source and will not be deployed.`,
    );
  }

  /**
   * Removes environments that no source has any more, where all sources could be asked. Those that nodes use stay,
   * unless the request says otherwise.
   */
  private async purgeStale(
    { deploy, terms }: Pending,
    listing: Listing,
    signal: AbortSignal,
  ): Promise<Purged> {
    const { current: engine, options } = this;
    const removed: string[] = [];
    const kept = new Map<string, string>();
    if (!engine.configuration.deploy.purgeLevels.includes('deployment')) return { removed, kept };
    const stale = await findStaleEnvironments(engine.sources.basedirs, [listing, this.latest ?? listing]);
    for (const { directory, name } of stale) {
      const isOwn = name === deploy.environment;
      // What is deployed right now sees to itself: it may have been listed a moment later.
      if (!isOwn && (this.running.has(name) || this.waiting.has(name))) continue;
      const isGuarded = this.isStagedEnvironment(directory) && !(isOwn && terms.purgesUsed === true);
      const users = isGuarded ? await options.use.findUsers(name, signal) : undefined;
      if (users !== undefined) {
        kept.set(name, renderKept(name, users));
        options.log.warn(
          { environment: name, users },
          'kept an environment that no source has and nodes use',
        );
        continue;
      }
      if (isOwn) await this.remove(name, directory);
      else await this.locks.run([name], () => this.remove(name, directory));
      removed.push(name);
    }
    return { removed, kept };
  }

  private async remove(name: string, directory: string): Promise<void> {
    const { log, storage } = this.options;
    await this.unfinished.begin(name);
    await this.current.deployer.remove(directory);
    if (this.isStagedEnvironment(directory)) await storage.remove(name);
    await this.unfinished.end(name);
    log.info({ environment: name }, 'removed an environment that no source has');
  }

  private isStagedEnvironment(directory: string): boolean {
    return dirname(directory) === join(this.options.stagingDirectory, 'environments');
  }

  private failureOf(environment: string, error: unknown): Partial<Deploy> {
    const { deployTimeoutMs, log } = this.options;
    const messages = messagesOf(error, deployTimeoutMs);
    if (messages === undefined) log.error({ err: error, environment }, 'deploy failed unexpectedly');
    return { error: failure(environment, failureKinds.deploy, messages ?? [String(error)]) };
  }

  private limited(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.stopping.signal]);
  }

  private async runPostrun(environments: readonly string[]): Promise<void> {
    const { environment, log } = this.options;
    await runPostrun(this.current.configuration.postrun, environments, environment, log);
  }

  private forgetOld(): void {
    const oldest = this.options.now().getTime() - this.options.deployTtlMs;
    while ((this.finished[0]?.finishedAt?.getTime() ?? Number.POSITIVE_INFINITY) < oldest)
      this.finished.shift();
  }
}

export interface RolledBack {
  readonly environment: string;
  readonly commit: string;
  readonly signature: string | undefined;
  /** Whether every server that is in contact serves it. */
  readonly isServed: boolean;
}

function joined(before: Terms, now: Terms): Terms {
  const isWhole = before.modules.length === 0 || now.modules.length === 0;
  return {
    deploysModules: before.deploysModules || now.deploysModules,
    modules: isWhole ? [] : [...new Set([...before.modules, ...now.modules])],
    isValidated: before.isValidated || now.isValidated,
    validatedNodes: [...new Set([...before.validatedNodes, ...now.validatedNodes])],
    purgesUsed: before.purgesUsed === true || now.purgesUsed === true,
  };
}

function failure(environment: string, kind: string, messages: readonly string[]): DeployFailure {
  return { kind, message: renderFailure(environment, messages), correctedName: environment };
}

/** What a purge did: names of environments, and why others stayed. */
interface Purged {
  readonly removed: readonly string[];
  /** By environment. */
  readonly kept: ReadonlyMap<string, string>;
}

function warned(outcome: Partial<Deploy>, { kept }: Purged): Partial<Deploy> {
  return kept.size === 0 ? outcome : { ...outcome, warnings: [...kept.values()] };
}

function never(): never {
  throw new Error('unreachable: there is at least one definition');
}
