/** Compiles a catalog without a server: for the command line and for CI of control repositories. */

import { resolve } from 'node:path';
import type { Json } from '../language/evaluator/index.ts';
import type { Logger } from '../platform/log/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { type CatalogFormat, type Compiled, type Node, WorkerPool } from '../services/compiler/index.ts';
import { EnvironmentRegistry } from '../services/environments/index.ts';
import { environmentDefaults, languageSettings } from './language-settings.ts';
import { serverFacts } from './server-facts.ts';
import { workerFile } from './worker-files.ts';

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
  const { certname, environment, facts, format, node } = compile;
  const directory = resolve(compile.directory);
  const registry = new EnvironmentRegistry({
    environmentPath: resolve(directory, '..'),
    defaults: environmentDefaults(settings),
    globalHieraConfig: settings.hieraConfig,
    language: languageSettings(settings),
    log,
    now: Date.now,
  });
  const loaded = await registry.load({ environment, codeId: null, directory, logicalDirectory: directory });
  const pool = new WorkerPool({
    workers: 1,
    workerUrl: workerFile('compile-worker'),
    timeoutMs: settings.compileTimeoutSeconds * 1000,
    maxQueued: 1,
    maxHeapMiB: Math.ceil(settings.compileWorkerHeapBytes / 2 ** 20),
    log,
  });
  try {
    return await pool.compile(
      { key: directory, physicalDirectory: loaded.directory, config: loaded.config },
      {
        certname,
        facts,
        trusted: { authenticated: 'local', certname, extensions: compile.trustedExtensions, external: {} },
        serverFacts: { ...serverFacts(settings.certname, settings.puppetVersion), environment },
        node,
        format,
      },
    );
  } finally {
    await pool.close();
  }
}
