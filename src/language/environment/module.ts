/** Modules: what a directory of a modulepath holds. */

import type { EnvironmentConfig, LanguageSettings } from './environment-settings.ts';
import type { FileTree } from './file-tree.ts';
import { joinPath } from './logical-path.ts';

/** What `metadata.json` says that the language reads; absent parts are `undefined`. */
export interface ModuleMetadata {
  /** The name on the Forge with a slash: `puppetlabs/stdlib`. */
  readonly forgeName: string | undefined;
  readonly version: string | undefined;
  /** `dataProvider` is the deprecated key `data_provider`. */
  readonly dataProvider: string | undefined;
  /** In the order of the file; names with a slash. */
  readonly dependencies: readonly ModuleDependency[];
}

export interface ModuleDependency {
  readonly name: string;
  readonly versionRequirement: string;
}

export interface Module {
  readonly name: string;
  /** Logical, without a slash at the end. */
  readonly directory: string;
  /** `undefined` without a usable `metadata.json`. */
  readonly metadata: ModuleMetadata | undefined;
}

export interface ModuleProblem {
  readonly severity: 'warning' | 'error';
  readonly message: string;
}

/** Where the reader of a module reports what is wrong with it. */
export type ReportModuleProblem = (problem: ModuleProblem) => void;

const MODULE_NAME = /^[a-z][a-z0-9_]*$/;

/** True for a name that a module directory may have. */
export function isModuleName(name: string): boolean {
  return MODULE_NAME.test(name);
}

/** All modules by name, in the order of the modulepath and then of names; the first of a name wins. */
export function discoverModules(
  config: EnvironmentConfig,
  files: FileTree,
  report: ReportModuleProblem,
): ReadonlyMap<string, Module> {
  const modules = new Map<string, Module>();
  const seen = new Set<string>();
  const { modulepath, ownModuleDirectory } = config;
  for (const parent of ownModuleDirectory === undefined ? modulepath : [...modulepath, ownModuleDirectory]) {
    for (const { kind, name } of files.list(parent) ?? []) {
      if (kind !== 'directory' || !isModuleName(name) || seen.has(name)) continue;
      // One that cannot be used hides those of its name all the same.
      seen.add(name);
      const directory = joinPath(parent, name);
      const text = files.readText(joinPath(directory, 'metadata.json'));
      const read = text === undefined ? {} : readMetadata(name, text, config.settings.strict);
      if (read.problem !== undefined) report(read.problem);
      if (read.isUnusable !== true) modules.set(name, { name, directory, metadata: read.metadata });
    }
  }
  return modules;
}

/**
 * `lib` directories on the modulepath that belong to no module: another module of the same name comes first, or the name is not
 * valid for a module. The reference's autoloader searches them too, for functions of the older kind and resource types.
 */
export function hiddenLibraries(
  { modulepath }: EnvironmentConfig,
  files: FileTree,
  modules: ReadonlyMap<string, Module>,
): readonly string[] {
  return modulepath
    .flatMap((parent) =>
      (files.list(parent) ?? []).map(({ name }) => ({ name, directory: joinPath(parent, name) })),
    )
    .filter(({ directory, name }) => !name.startsWith('.') && modules.get(name)?.directory !== directory)
    .map(({ directory }) => joinPath(directory, 'lib'))
    .filter((directory) => files.kind(directory) === 'directory');
}

/** Whether a module counts, with the text of its `metadata.json`: an incomplete one makes it as good as absent. */
export function isUsableModule(name: string, metadata: string, strict: LanguageSettings['strict']): boolean {
  return readMetadata(name, metadata, strict).isUnusable !== true;
}

interface ReadMetadata {
  readonly metadata?: ModuleMetadata | undefined;
  readonly problem?: ModuleProblem;
  /** The module is as good as absent. */
  readonly isUnusable?: boolean;
}

function readMetadata(name: string, text: string, strict: LanguageSettings['strict']): ReadMetadata {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    const message = `${name} has an invalid and unparsable metadata.json file. The parse error: ${messageOf(error)}`;
    if (strict === 'off') return {};
    return { problem: { severity: strict, message }, isUnusable: strict === 'error' };
  }
  if (!isRecord(data) || Object.keys(data).length === 0) return {};
  const message = incompleteness(name, data);
  if (message === undefined) return { metadata: decodeMetadata(data) };
  return { problem: { severity: 'error', message }, isUnusable: true };
}

/** What the reference requires of all metadata, in its order. */
function incompleteness(name: string, data: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ['source', 'author', 'version', 'license', 'dependencies']) {
    if ((data[key] ?? null) === null) return `No ${key} module metadata provided for ${name}`;
  }
  const { dependencies } = data;
  if (Array.isArray(dependencies)) return undefined;
  return `The value for the key dependencies in the file metadata.json of the module ${name} must be an array, not: '${typeof dependencies === 'object' ? rubyHashText(dependencies) : String(dependencies)}'`;
}

/** A plain hash of JSON as Ruby prints it. */
function rubyHashText(value: unknown): string {
  if (value === null) return 'nil';
  if (Array.isArray(value)) return `[${value.map(rubyHashText).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}=>${rubyHashText(item)}`);
  return `{${members.join(', ')}}`;
}

function decodeMetadata(data: Readonly<Record<string, unknown>>): ModuleMetadata {
  return {
    forgeName: text(data['name'])?.replaceAll('-', '/'),
    version: text(data['version']),
    dataProvider: text(data['data_provider']),
    dependencies: Array.isArray(data['dependencies']) ? data['dependencies'].flatMap(decodeDependency) : [],
  };
}

function decodeDependency(data: unknown): readonly ModuleDependency[] {
  if (!isRecord(data)) return [];
  const name = text(data['name']);
  if (name === undefined) return [];
  return [
    {
      name: name.replaceAll('-', '/'),
      versionRequirement: text(data['version_requirement']) ?? '>= 0.0.0',
    },
  ];
}

function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function text(data: unknown): string | undefined {
  return typeof data === 'string' ? data : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
