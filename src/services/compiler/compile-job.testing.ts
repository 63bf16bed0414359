/** What tests give to compile workers. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultLanguageSettings } from '../../language/environment/index.ts';
import type { PoolCompiled, WorkerPool } from './pool/index.ts';
import type { CompileJob, EnvironmentSource } from './worker-protocol.ts';

/** For a node that nothing is known of. */
export function jobOf(certname = 'a.example.com'): CompileJob {
  return {
    certname,
    facts: {},
    trusted: { authenticated: 'remote', certname, extensions: {}, external: {} },
    serverFacts: {},
    node: { classes: {}, parameters: {} },
    format: 'rich_data_json',
  };
}

/**
 * Compiles something harmless with a pool whose limit is short: its workers, and their Ruby, have to start within the
 * limit, which on a busy machine the first may not.
 */
export async function untilCompiled(
  pool: WorkerPool,
  source: EnvironmentSource,
  job: CompileJob,
): Promise<PoolCompiled> {
  for (;;) {
    try {
      return await pool.compile(source, job);
    } catch (error) {
      if (!String(error).includes('took longer than')) throw error;
    }
  }
}

/** An environment that is nothing but a main manifest. */
export function environmentOf(
  code: string,
  directory: string,
  config: Partial<EnvironmentSource['config']> = {},
): EnvironmentSource {
  return {
    key: code,
    physicalDirectory: directory,
    config: {
      name: 'production',
      directory,
      modulepath: [],
      manifest: `${directory}/manifests`,
      code,
      configVersion: 1,
      codeId: null,
      settings: defaultLanguageSettings,
      ...config,
    },
  };
}

/** An environment of files, written below `directory`. @param files - texts by path */
export function environmentWith(
  files: Readonly<Record<string, string>>,
  directory: string,
): EnvironmentSource {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return {
    key: 'one',
    physicalDirectory: directory,
    config: {
      name: 'production',
      directory: '/code/environments/production',
      modulepath: ['/code/environments/production/modules'],
      manifest: '/code/environments/production/manifests',
      configVersion: 1,
      codeId: null,
      settings: defaultLanguageSettings,
    },
  };
}
