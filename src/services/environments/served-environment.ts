/** One version of an environment, with its configuration read. */

import { execFile } from 'node:child_process';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { EnvironmentConfig, LanguageSettings } from '../../language/environment/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type EnvironmentConf, parseEnvironmentConf } from './environment-conf.ts';

/** A version of code on disk. */
export interface CodeLocation {
  readonly environment: string;
  readonly codeId: string | null;
  /** Where the files are. */
  readonly directory: string;
  /** What messages and catalogs call that directory; below `environmentPath` when absent. */
  readonly logicalDirectory?: string;
}

export interface EnvironmentOptions {
  /** Logical, `/etc/puppetlabs/code/environments`. */
  readonly environmentPath: string;
  readonly baseModulePath: readonly string[];
  /** `default_manifest`, relative to the environment when it is not absolute. */
  readonly defaultManifest: string;
  readonly globalHieraConfig?: string;
  readonly language: LanguageSettings;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface ServedEnvironment {
  readonly config: EnvironmentConfig;
  readonly codeId: string | null;
  /** Where the files are. */
  readonly directory: string;
  /** Where its module directories are, those that exist, in order of precedence. */
  readonly modulePath: readonly string[];
  /** The first module of each name. */
  readonly modules: readonly { readonly name: string; readonly directory: string }[];
  /** As `environment.conf` has it, for `GET /puppet/v3/environments`. */
  readonly environmentTimeout: string;
  readonly configVersionCommand: string;
}

const moduleName = /^[a-z][a-z0-9_]*$/;
const configVersionTimeoutMs = 10_000;
const run = promisify(execFile);

/** Reads what there is to know of a version. Problems of its configuration are logged, with what is used instead. */
export async function loadEnvironment(
  location: CodeLocation,
  options: EnvironmentOptions,
): Promise<ServedEnvironment> {
  const logical = location.logicalDirectory ?? join(options.environmentPath, location.environment);
  const directory = await realpath(location.directory);
  const conf = await readConf(location, options.log);
  const modulepath = logicalModulePath(conf, logical, options.baseModulePath);
  const physical = (path: string) =>
    path === logical || path.startsWith(`${logical}/`) ? directory + path.slice(logical.length) : path;
  const { modulePath, modules } = await findModules(modulepath.map(physical));
  return {
    config: {
      name: location.environment,
      directory: logical,
      modulepath,
      manifest: absolute(conf.manifest ?? options.defaultManifest, logical),
      configVersion: await configVersion(conf, physical, logical, options),
      codeId: location.codeId,
      settings: options.language,
      ...(options.globalHieraConfig === undefined ? {} : { globalHieraConfig: options.globalHieraConfig }),
    },
    codeId: location.codeId,
    directory,
    modulePath,
    modules,
    environmentTimeout: conf.environmentTimeout ?? 'unlimited',
    configVersionCommand: conf.configVersion ?? '',
  };
}

async function readConf(location: CodeLocation, log: Logger): Promise<EnvironmentConf> {
  const text = await readFile(join(location.directory, 'environment.conf'), 'utf8').catch(() => '');
  const { conf, unknown } = parseEnvironmentConf(text);
  if (unknown.length > 0)
    log.warn(
      { environment: location.environment, settings: unknown },
      'unknown settings in environment.conf',
    );
  return conf;
}

function logicalModulePath(conf: EnvironmentConf, logical: string, base: readonly string[]): string[] {
  const text = conf.modulepath ?? 'modules:$basemodulepath';
  return text
    .replaceAll(/\$\{?basemodulepath\}?/g, base.join(':'))
    .replaceAll(/\$\{?environment\}?/g, logical.slice(logical.lastIndexOf('/') + 1))
    .split(':')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => absolute(entry, logical));
}

function absolute(path: string, directory: string): string {
  const joined = isAbsolute(path) ? path : join(directory, path);
  return joined.length > 1 ? joined.replace(/\/+$/, '') : joined;
}

async function findModules(path: readonly string[]) {
  const modulePath: string[] = [];
  const modules = new Map<string, string>();
  for (const directory of path) {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) continue;
    modulePath.push(directory);
    for (const entry of entries) {
      const isDirectory = entry.isDirectory() || entry.isSymbolicLink();
      if (!isDirectory || !moduleName.test(entry.name) || modules.has(entry.name)) continue;
      modules.set(entry.name, join(directory, entry.name));
    }
  }
  return { modulePath, modules: [...modules].map(([name, directory]) => ({ name, directory })) };
}

/** What the script of `config_version` prints; the time when there is none or when it fails. */
async function configVersion(
  conf: EnvironmentConf,
  physical: (path: string) => string,
  logical: string,
  options: EnvironmentOptions,
): Promise<string | number> {
  const seconds = Math.floor(options.now() / 1000);
  const [command, ...args] = (conf.configVersion ?? '').split(/\s+/).filter((word) => word !== '');
  if (command === undefined) return seconds;
  try {
    const path = physical(absolute(command, logical));
    const { stdout } = await run(path, args.map(physical), { timeout: configVersionTimeoutMs });
    return stdout.trim();
  } catch (error) {
    options.log.warn(
      { environment: logical, command, err: error },
      'config_version failed, the time is used',
    );
    return seconds;
  }
}
