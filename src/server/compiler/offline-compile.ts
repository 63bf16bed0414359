/** Compiles without a server: for the command line and for CI of control repositories. */

import { resolve } from 'node:path';
import type { LanguageSettings } from '../../language/environment/index.ts';
import type { Json } from '../../lib/json.ts';
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
import { ownModulesDirectory } from '../worker-files.ts';
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
  /** Absent without PuppetDB: then a node collects only what it exports itself. */
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

/** Compiles many nodes with one version of the code, with settings of the language that the caller chooses. */
export interface OfflineCompiler {
  /** As the environment is configured. */
  readonly usual: LanguageSettings;
  /** @throws ServiceError `compile-failed` when the code is at fault; `details.logs` has what was logged until then */
  compile(node: OfflineNode, language: LanguageSettings): Promise<Compiled>;
}

export type OfflineNode = Pick<OfflineCompile, 'certname' | 'facts' | 'node' | 'trustedExtensions'>;

/** @param workers - how many compile at a time */
export async function withOfflineCompiler<T>(
  code: Pick<OfflineCompile, 'directory' | 'environment' | 'puppetDb'> & { readonly workers: number },
  settings: Settings,
  log: Logger,
  work: (compiler: OfflineCompiler) => Promise<T>,
): Promise<T> {
  const { puppetDb = withoutPuppetDb(settings), workers } = code;
  const source = await load(code, settings, log);
  const { config } = source;
  const pool = openWorkerPool(settings, { workers, maxQueued: Number.MAX_SAFE_INTEGER, puppetDb, log });
  try {
    return await work({
      usual: config.settings,
      compile: async (node, language) =>
        await pool.compile(
          {
            ...source,
            // Code that is compiled in two ways is two versions to the workers.
            key: `${source.key} ${language.level.number} ${language.strict} ${language.strictVariables}`,
            config: { ...config, settings: language },
          },
          {
            ...jobOf(node, 'rich_data_json'),
            serverFacts: { ...versionFacts(language), ...serverFacts(settings.certname) },
          },
        ),
    });
  } finally {
    await pool.close();
  }
}

function jobOf(
  { certname, facts, node, trustedExtensions: extensions }: OfflineNode,
  format: CatalogFormat,
): Omit<CompileJob, 'serverFacts'> {
  const trusted = { authenticated: 'local', certname, extensions, external: {} } as const;
  return { certname, facts, trusted, node, format };
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
  try {
    return await work(pool, source, {
      ...jobOf(compile, compile.format),
      serverFacts: compile.serverFacts ?? {
        ...versionFacts(source.config.settings),
        ...serverFacts(settings.certname),
      },
      isProfiled: compile.isProfiled === true,
    });
  } finally {
    await pool.close();
  }
}

async function load(
  compile: Pick<OfflineCompile, 'code' | 'directory' | 'environment'>,
  settings: Settings,
  log: Logger,
): Promise<EnvironmentSource> {
  const { environment } = compile;
  const directory = resolve(compile.directory);
  const registry = new EnvironmentRegistry({
    environmentPath: resolve(directory, '..'),
    defaults: environmentDefaults(settings),
    globalHieraConfig: settings.hieraConfig,
    ownModules: ownModulesDirectory(),
    staticCatalogs: false,
    language: (level) => languageSettings(settings, level),
    log,
    now: Date.now,
  });
  const loaded = await registry.load({ environment, codeId: null, directory, logicalDirectory: directory });
  const config = compile.code === undefined ? loaded.config : { ...loaded.config, code: compile.code };
  return { key: directory, physicalDirectory: loaded.directory, config };
}
