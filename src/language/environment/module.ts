/** Modules: what a directory of a modulepath holds. */

import type { EnvironmentConfig } from './environment-settings.ts';
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
  /** Parsed when first asked for; `undefined` without a usable `metadata.json`. */
  readonly metadata: ModuleMetadata | undefined;
}

/** Where the reader of a module reports what is wrong with it. */
export type ReportModuleProblem = (message: string) => void;

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
  for (const directory of config.modulepath) {
    for (const entry of files.list(directory) ?? []) {
      if (entry.kind !== 'directory' || !isModuleName(entry.name) || modules.has(entry.name)) continue;
      modules.set(
        entry.name,
        new ModuleDirectory(entry.name, joinPath(directory, entry.name), files, report),
      );
    }
  }
  return modules;
}

class ModuleDirectory implements Module {
  readonly name: string;
  readonly directory: string;
  private readonly files: FileTree;
  private readonly report: ReportModuleProblem;
  private known: { readonly metadata: ModuleMetadata | undefined } | undefined;

  constructor(name: string, directory: string, files: FileTree, report: ReportModuleProblem) {
    this.name = name;
    this.directory = directory;
    this.files = files;
    this.report = report;
  }

  get metadata(): ModuleMetadata | undefined {
    this.known ??= { metadata: this.read() };
    return this.known.metadata;
  }

  private read(): ModuleMetadata | undefined {
    const text = this.files.readText(joinPath(this.directory, 'metadata.json'));
    if (text === undefined) return undefined;
    try {
      return decodeMetadata(JSON.parse(text));
    } catch (error) {
      // Only JSON.parse throws here: broken metadata does not make the module unusable.
      this.report(
        `${this.name} has an invalid and unparsable metadata.json file. The parse error: ${messageOf(error)}`,
      );
      return undefined;
    }
  }
}

function decodeMetadata(data: unknown): ModuleMetadata | undefined {
  if (!isRecord(data) || Object.keys(data).length === 0) return undefined;
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
