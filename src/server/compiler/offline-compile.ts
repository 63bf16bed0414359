/** Compiles without a server: for the command line and for CI of control repositories. */

import { resolve } from 'node:path';
import type { Json } from '../../language/evaluator/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import {
  type Answer,
  type CatalogFormat,
  type Compiled,
  type CompileJob,
  type EnvironmentSource,
  type Node,
  type PuppetDbTerminus,
  type Question,
  versionFacts,
  type WorkerPool,
} from '../../services/compiler/index.ts';
import { EnvironmentRegistry } from '../../services/environments/index.ts';
import { environmentDefaults, languageSettings } from './language-settings.ts';
import { openWorkerPool } from './open-worker-pool.ts';
import { serverFacts } from './server-facts.ts';
import { withoutPuppetDb } from './without-puppetdb.ts';

export interface OfflineCompile {
  readonly certname: string;
  /** The directory of the environment: a checkout of a control repository, or one below `environmentpath`. */
  readonly directory: string;
  readonly environment: string;
  /** As JSON text where the form of numbers matters. */
  readonly facts: Readonly<Record<string, Json>> | string;
  readonly trustedExtensions: Readonly<Record<string, string>>;
  readonly node: Node;
  readonly format: CatalogFormat;
  /** Tell where the time went. */
  readonly isProfiled?: boolean;
  /** `$server_facts`, without the environment; those of this host when absent. */
  readonly serverFacts?: Readonly<Record<string, Json>>;
  /** What to evaluate instead of the main manifest. */
  readonly code?: string;
  /** Absent where there is none: then a node collects only what it exports itself. */
  readonly puppetDb?: PuppetDbTerminus | undefined;
  /** Answers queries in place of the PuppetDB. */
  readonly answerQuery?: PuppetDbTerminus['query'] | undefined;
}

/**
 * Compiles in a worker, as a server does.
 *
 * @throws ServiceError `compile-failed` when the code is at fault; `details.logs` has what was logged until then
 */
export async function compileOffline(
  compile: OfflineCompile,
  settings: Settings,
  log: Logger,
): Promise<Compiled> {
  return await withWorker(compile, settings, log, (pool, source, job) => pool.compile(source, job));
}

/**
 * Compiles, and answers a question about that instead of giving the catalog.
 *
 * @throws ServiceError as `compileOffline` does
 */
export async function askOffline(
  compile: OfflineCompile,
  question: Question,
  settings: Settings,
  log: Logger,
): Promise<Answer> {
  return await withWorker(compile, settings, log, (pool, source, job) => pool.ask(source, job, question));
}

async function withWorker<T>(
  compile: OfflineCompile,
  settings: Settings,
  log: Logger,
  work: (pool: WorkerPool, source: EnvironmentSource, job: CompileJob) => Promise<T>,
): Promise<T> {
  const source = await load(compile, settings, log);
  const { answerQuery, puppetDb: known = withoutPuppetDb(settings) } = compile;
  const puppetDb = answerQuery === undefined ? known : { ...known, query: answerQuery };
  const pool = openWorkerPool(settings, { workers: 1, maxQueued: 1, puppetDb, log });
  const { certname, facts, format, node, trustedExtensions: extensions } = compile;
  try {
    return await work(pool, source, {
      certname,
      facts,
      trusted: { authenticated: 'local', certname, extensions, external: {} },
      serverFacts: compile.serverFacts ?? {
        ...versionFacts(source.config.settings),
        ...serverFacts(settings.certname),
      },
      node,
      format,
      isProfiled: compile.isProfiled === true,
    });
  } finally {
    await pool.close();
  }
}

async function load(compile: OfflineCompile, settings: Settings, log: Logger): Promise<EnvironmentSource> {
  const { environment } = compile;
  const directory = resolve(compile.directory);
  const registry = new EnvironmentRegistry({
    environmentPath: resolve(directory, '..'),
    defaults: environmentDefaults(settings),
    globalHieraConfig: settings.hieraConfig,
    staticCatalogs: false,
    language: (level) => languageSettings(settings, level),
    log,
    now: Date.now,
  });
  const loaded = await registry.load({ environment, codeId: null, directory, logicalDirectory: directory });
  const config = compile.code === undefined ? loaded.config : { ...loaded.config, code: compile.code };
  return { key: directory, physicalDirectory: loaded.directory, config };
}
