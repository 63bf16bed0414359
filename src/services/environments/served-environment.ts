/** One version of an environment, with its configuration read. */

import { execFile } from 'node:child_process';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type EnvironmentConf,
  type EnvironmentConfig,
  type EnvironmentDefaults,
  environmentPaths,
  environmentTimeoutSeconds,
  isUsableModule,
  type LanguageSettings,
  parseEnvironmentConf,
  type VisibleSettings,
} from '../../language/environment/index.ts';
import { type LanguageLevel, type LevelNumber, languageLevel } from '../../language/levels/index.ts';
import { type DirectoryMapping, DiskFileTree } from '../../lib/disk-file-tree.ts';
import { ifThere } from '../../lib/if-there.ts';
import type { Logger } from '../../platform/log/index.ts';

/** A version of code on disk. */
export interface CodeLocation {
  readonly environment: string;
  readonly codeId: string | null;
  /** Where the files are. */
  readonly directory: string;
  /** What messages and catalogs call that directory; below `environmentPath` when absent. */
  readonly logicalDirectory?: string;
  /** Where it was staged: `environments/production`; one of `places` says what that is called. */
  readonly place?: string;
  /** The directory of this version of the files that all environments share: those beside them below `codeDirectory`. */
  readonly sharedDirectory?: string;
}

export interface EnvironmentOptions {
  /** Logical, `/etc/puppetlabs/code/environments`. */
  readonly environmentPath: string;
  /** Logical, `/etc/puppetlabs/code`. */
  readonly codeDirectory?: string;
  /** Which directory of environments a place stands for; all are below `environmentPath` when absent. */
  readonly places?: readonly { readonly staged: string; readonly logical: string }[];
  /** What holds for environments that say nothing else. */
  readonly defaults: EnvironmentDefaults;
  readonly globalHieraConfig?: string;
  /** Files outside of the code that lie elsewhere on this server; read for each version that is loaded. */
  readonly outerFiles?: () => OuterFiles;
  /** Directories of modules that the server brings to every environment. */
  readonly ownModules?: string;
  /** The setting `static_catalogs`: what holds where `environment.conf` says nothing. */
  readonly staticCatalogs: boolean;
  /** What holds at a language level; at the usual one when absent. */
  readonly language: (level?: LevelNumber) => LanguageSettings;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What code reads outside of its version, where that is not at the path that code names. */
export interface OuterFiles {
  /** Differs between any two states of the files; empty when there are none. */
  readonly generation: string;
  readonly mappings: readonly DirectoryMapping[];
  /** Instead of `globalHieraConfig`. */
  readonly hieraConfig?: string | undefined;
}

export interface ServedEnvironment {
  /** Names this version with the files that it sees outside of it. */
  readonly key: string;
  readonly config: EnvironmentConfig;
  readonly codeId: string | null;
  /** Where the files are. */
  readonly directory: string;
  /** Where other code that belongs to this version is: modules that all environments share. */
  readonly mappings: readonly DirectoryMapping[];
  /** Where files outside of the code are that it reads. */
  readonly outerMappings: readonly DirectoryMapping[];
  /** Where its module directories are, those that exist, in order of precedence. */
  readonly modulePath: readonly string[];
  /** The first module of each name. */
  readonly modules: readonly { readonly name: string; readonly directory: string }[];
  /** Seconds, as `environment.conf` has it, for `GET /puppet/v3/environments`. */
  readonly environmentTimeout: number | 'unlimited';
  readonly configVersionCommand: string;
  /** Whether its catalogs carry the metadata of files. */
  readonly hasStaticCatalogs: boolean;
}

const noOuterFiles: OuterFiles = { generation: '', mappings: [] };
const moduleName = /^[a-z][a-z0-9_]*$/;
const configVersionTimeoutMs = 10_000;
const run = promisify(execFile);

/** Reads the configuration of a version. Problems of its configuration are logged, with what is used instead. */
export async function loadEnvironment(
  location: CodeLocation,
  options: EnvironmentOptions,
): Promise<ServedEnvironment> {
  const logical = logicalDirectoryOf(location, options);
  const directory = await realpath(location.directory);
  const outer = options.outerFiles?.() ?? noOuterFiles;
  const mappings = await sharedMappings(location, options);
  const globalHieraConfig = outer.hieraConfig ?? options.globalHieraConfig;
  const files = new DiskFileTree(logical, directory, [...mappings, ...outer.mappings]);
  const conf = await readConf(directory, join(logical, 'environment.conf'), options.language().level);
  const language = options.language(conf?.languageLevel);
  const paths = environmentPaths(location.environment, logical, conf, {
    defaults: options.defaults,
    files,
  });
  for (const { message, severity } of [...(conf?.problems ?? []), ...paths.problems])
    options.log[severity === 'error' ? 'error' : 'warn'](
      { environment: location.environment, reason: message },
      'environment.conf',
    );
  const physical = (path: string) => files.physical(path);
  const { vendorModuleDirectory } = options.defaults;
  const own = options.ownModules === undefined ? [] : [options.ownModules];
  return {
    key: outer.generation === '' ? location.directory : `${location.directory} ${outer.generation}`,
    config: {
      name: location.environment,
      directory: logical,
      modulepath: paths.modulepath,
      manifest: paths.manifest,
      ...(await configVersion(paths.configVersionCommand, physical, options)),
      codeId: location.codeId,
      settings: {
        ...language,
        richData: isTrue(conf?.richData) ?? language.richData,
        visible: visibleSettings({ language, staticCatalogs: options.staticCatalogs }, conf, paths),
      },
      ...(globalHieraConfig === undefined ? {} : { globalHieraConfig }),
      ...(vendorModuleDirectory === undefined ? {} : { vendorModuleDirectory }),
      ...(options.ownModules === undefined ? {} : { ownModuleDirectory: options.ownModules }),
    },
    codeId: location.codeId,
    directory,
    mappings,
    outerMappings: outer.mappings,
    ...(await findModules([...paths.modulepath.map(physical), ...own], language.strict)),
    environmentTimeout: timeoutOf(conf),
    configVersionCommand: paths.configVersionCommand ?? '',
    hasStaticCatalogs: isTrue(conf?.staticCatalogs) ?? options.staticCatalogs,
  };
}

/** The server's settings, with those that `environment.conf` decides. */
function visibleSettings(
  {
    language,
    staticCatalogs,
  }: Pick<EnvironmentOptions, 'staticCatalogs'> & { readonly language: LanguageSettings },
  conf: EnvironmentConf | undefined,
  { configVersionCommand, manifest, modulepath }: ReturnType<typeof environmentPaths>,
): VisibleSettings {
  const timeout =
    conf?.environmentTimeout === undefined ? language.visible['environment_timeout'] : timeoutOf(conf);
  return {
    ...language.visible,
    modulepath: modulepath.join(':'),
    manifest,
    config_version: configVersionCommand ?? '',
    ...(timeout === undefined ? {} : { environment_timeout: timeout === 'unlimited' ? Infinity : timeout }),
    static_catalogs: isTrue(conf?.staticCatalogs) ?? staticCatalogs,
    rich_data: isTrue(conf?.richData) ?? language.richData,
  };
}

function logicalDirectoryOf(location: CodeLocation, options: EnvironmentOptions): string {
  const { environmentPath, places = [] } = options;
  if (location.logicalDirectory !== undefined) return location.logicalDirectory;
  const directory = places.find(
    ({ staged }) => `${staged}/${location.environment}` === location.place,
  )?.logical;
  return join(directory ?? environmentPath, location.environment);
}

/** What is not part of the version is read where it is. */
async function sharedMappings(
  { sharedDirectory }: CodeLocation,
  { codeDirectory }: EnvironmentOptions,
): Promise<readonly DirectoryMapping[]> {
  if (sharedDirectory === undefined || codeDirectory === undefined) return [];
  const physical = await realpath(sharedDirectory);
  return (await readdir(physical)).sort().map((name) => ({
    logicalDirectory: join(codeDirectory, name),
    physicalDirectory: join(physical, name),
  }));
}

function isTrue(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : !/^false$/i.test(text);
}

/** The language level that a directory's `environment.conf` asks for; `undefined` where it names none. */
export async function declaredLevel(directory: string): Promise<LevelNumber | undefined> {
  return (await readConf(directory, 'environment.conf', languageLevel(7)))?.languageLevel;
}

async function readConf(
  directory: string,
  name: string,
  usual: LanguageLevel,
): Promise<EnvironmentConf | undefined> {
  const text = await ifThere(readFile(join(directory, 'environment.conf'), 'utf8'));
  return text === undefined ? undefined : parseEnvironmentConf(text, name, usual);
}

async function findModules(path: readonly string[], strict: LanguageSettings['strict']) {
  const modulePath: string[] = [];
  const found = new Map<string, string>();
  for (const parent of path) {
    const entries = await readdir(parent, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) continue;
    modulePath.push(parent);
    for (const entry of entries) {
      const isDirectory = entry.isDirectory() || entry.isSymbolicLink();
      if (!isDirectory || !moduleName.test(entry.name) || found.has(entry.name)) continue;
      found.set(entry.name, join(parent, entry.name));
    }
  }
  const modules = await Promise.all(
    Array.from(found, async ([name, directory]) => ({
      name,
      directory,
      isUsable: await isUsable(name, directory, strict),
    })),
  );
  // One that cannot be used hides those of its name all the same. Compiles tell of it.
  return {
    modulePath,
    modules: modules
      .filter(({ isUsable: counts }) => counts)
      .map(({ directory, name }) => ({ name, directory })),
  };
}

async function isUsable(
  name: string,
  directory: string,
  strict: LanguageSettings['strict'],
): Promise<boolean> {
  const text = await readFile(join(directory, 'metadata.json'), 'utf8').catch(() => undefined);
  return text === undefined || isUsableModule(name, text, strict);
}

/** An invalid duration has been reported, and is ignored. */
function timeoutOf(conf: EnvironmentConf | undefined): number | 'unlimited' {
  const seconds = environmentTimeoutSeconds(conf?.environmentTimeout ?? 'unlimited');
  return seconds === undefined || seconds === Number.POSITIVE_INFINITY ? 'unlimited' : seconds;
}

/**
 * What the command of `config_version` prints, or the time when there is none. When it fails, nothing of this version
 * can be compiled.
 */
async function configVersion(
  command: string | undefined,
  physical: (path: string) => string,
  options: EnvironmentOptions,
): Promise<Pick<EnvironmentConfig, 'configVersion' | 'configVersionProblem'>> {
  const seconds = Math.floor(options.now() / 1000);
  if (command === undefined) return { configVersion: seconds };
  try {
    const { stdout } = await run('/bin/sh', shellArguments(command, physical), {
      timeout: configVersionTimeoutMs,
    });
    return { configVersion: stdout.trim() };
  } catch (error) {
    const { code, stdout = '' } = error as { code?: unknown; stdout?: string };
    const reason = `Execution of '${command}' returned ${typeof code === 'number' ? code : ''}: ${stdout.trim()}`;
    const problem = `Execution of config_version command \`${command}\` failed: ${reason}`;
    options.log.error({ command, err: error }, problem);
    return { configVersion: seconds, configVersionProblem: problem };
  }
}

/** Both outputs count. The shell reads what has anything in it that only shells understand, as in Ruby. */
function shellArguments(command: string, physical: (path: string) => string): readonly string[] {
  if (/[*?{}[\]<>()~&|\\$;'`"\n#=%]/.test(command)) {
    const text = command.replace(
      /(^|[\s='"])(\/[^\s'"]*)/g,
      (_all, before: string, file: string) => before + physical(file),
    );
    return ['-c', `exec 2>&1\n${text}`];
  }
  const words = command.split(/\s+/).filter((word) => word !== '');
  return ['-c', 'exec "$@" 2>&1', 'sh', ...words.map(physical)];
}
