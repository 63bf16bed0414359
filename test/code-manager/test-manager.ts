/** A code manager with everything real but the servers that follow. */

import { mkdirSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from '../../src/platform/changes/index.ts';
import { serverItself } from '../../src/platform/changes/index.ts';
import { Git } from '../../src/platform/git/index.ts';
import { createLogger } from '../../src/platform/log/index.ts';
import {
  type CodeCheck,
  CodeManager,
  type CodeStorage,
  createEngine,
  readConfiguration,
  type StoredCommit,
} from '../../src/services/code-manager/index.ts';
import { builtWorker } from '../support/built-worker.ts';

/** Keeps copies of the commits. */
export class CopyingStorage implements CodeStorage {
  readonly commits = new Map<string, StoredCommit[]>();
  readonly removed: string[] = [];
  readonly held = new Set<string>();
  readonly announced: string[] = [];
  private readonly staging: string;
  private readonly kept: string;
  private readonly serving = new Map<string, string>();
  private count = 0;

  constructor(staging: string, kept: string) {
    this.staging = staging;
    this.kept = kept;
  }

  async commit(environment: string, message: string): Promise<string> {
    this.count += 1;
    const id = this.count.toString(16).padStart(40, 'c');
    await cp(this.staged(environment), join(this.kept, id), { recursive: true, verbatimSymlinks: true });
    const commits = this.commits.get(environment) ?? [];
    this.commits.set(environment, [{ id, date: new Date(), message }, ...commits]);
    this.serving.set(environment, id);
    return id;
  }

  remove(environment: string): Promise<void> {
    this.removed.push(environment);
    this.serving.delete(environment);
    return Promise.resolve();
  }

  announce(environment: string): () => void {
    this.announced.push(environment);
    return () => void this.announced.splice(this.announced.indexOf(environment), 1);
  }

  hold(environment: string): Promise<void> {
    this.held.add(environment);
    return Promise.resolve();
  }

  release(environment: string): void {
    this.held.delete(environment);
  }

  find(environment: string, commit: string): StoredCommit | undefined {
    return this.history(environment).find(({ id }) => id === commit);
  }

  activate(environment: string, commit: string): Promise<void> {
    this.serving.set(environment, commit);
    return Promise.resolve();
  }

  async restoreStaging(environment: string): Promise<void> {
    await rm(this.staged(environment), { recursive: true, force: true });
    const commit = this.serving.get(environment) ?? '';
    await cp(join(this.kept, commit), this.staged(environment), { recursive: true, verbatimSymlinks: true });
  }

  history(environment: string): readonly StoredCommit[] {
    return this.commits.get(environment) ?? [];
  }

  current(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.serving);
  }

  servers() {
    return [];
  }

  waitUntilServed(): Promise<boolean> {
    return Promise.resolve(true);
  }

  private staged(environment: string): string {
    return join(this.staging, 'environments', environment);
  }
}

export interface TestManager {
  readonly manager: CodeManager;
  readonly storage: CopyingStorage;
  readonly staging: string;
  /** Who deployed what. */
  readonly recorded: readonly Change[];
  staged(environment: string): string;
  /** @param configuration - the text of another `r10k.yaml` */
  reconfigure(configuration: string): void;
  /** Deploys and waits. @returns status or what went wrong, by environment */
  deploy(...environments: readonly string[]): Promise<Readonly<Record<string, string>>>;
}

export interface TestManagerOptions {
  readonly check?: CodeCheck;
  readonly ruby?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly idleTimeoutMs?: number;
  readonly deployTimeoutMs?: number;
  /** Who uses an environment. */
  readonly findUsers?: (environment: string) => string | undefined;
}

/** @param configuration - the text of an `r10k.yaml` */
export async function testManager(
  directory: string,
  configuration: string,
  options: TestManagerOptions = {},
): Promise<TestManager> {
  const staging = join(directory, 'code-staging');
  mkdirSync(join(staging, 'environments'), { recursive: true });
  const log = createLogger({ level: 'error', format: 'json' });
  const environment = { PATH: process.env['PATH'] ?? '', ...options.environment };
  const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
  const storage = new CopyingStorage(staging, join(directory, 'kept'));
  const engine = (text: string) =>
    createEngine({
      configuration: readConfiguration(text, 'r10k.yaml'),
      git: new Git(environment),
      directory: join(directory, 'code-manager'),
      stagingDirectory: staging,
      codeDirectory: join(directory, 'code'),
      environment,
      ruby: options.ruby ?? 'auto',
      puppetfileWorkerUrl: builtWorker(
        new URL('../../src/services/code-manager/puppetfile/puppetfile-worker.ts', import.meta.url),
      ),
      idleTimeoutMs: options.idleTimeoutMs ?? 300_000,
      log,
      ...clock,
    });
  const recorded: Change[] = [];
  const manager = new CodeManager({
    engine: engine(configuration),
    storage,
    use: { findUsers: (environment) => Promise.resolve(options.findUsers?.(environment)) },
    check: options.check ?? { check: () => Promise.resolve([]) },
    stagingDirectory: staging,
    stateDirectory: join(directory, 'code-manager'),
    deployPoolSize: 2,
    deployTimeoutMs: options.deployTimeoutMs ?? 600_000,
    syncTimeoutMs: 5000,
    deployTtlMs: 3_600_000,
    environment,
    record: async (change) => void recorded.push(change),
    log,
    ...clock,
  });
  await manager.prepare();
  const terms = {
    author: serverItself,
    deploysModules: true,
    modules: [],
    isValidated: false,
    validatedNodes: [],
    purgesUsed: false,
  };
  return {
    manager,
    recorded,
    storage,
    staging,
    staged: (name) => join(staging, 'environments', name),
    reconfigure: (text) => manager.reconfigure(engine(text)),
    async deploy(...environments) {
      const ended = await manager.deploy({ environments, ...terms }).ended;
      return Object.fromEntries(
        ended.map(({ environment: name, error, status }) => [name, error?.message ?? status]),
      );
    },
  };
}
