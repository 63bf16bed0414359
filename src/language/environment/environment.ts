/** An environment: one version of its code, with everything that is found in it by name. */

import type { ResourceTypeInfo } from '../catalog/index.ts';
import { puppetVersionOf } from '../levels/index.ts';
import {
  type Diagnostic,
  type FunctionDefinition,
  type HostClassDefinition,
  type NodeDefinition,
  namespaceOfFile,
  type PlanDefinition,
  type Program,
  PuppetError,
  type ResourceTypeDefinition,
  type TypeAlias,
  type TypeDefinition,
} from '../syntax/index.ts';
import type { Found } from './definition-table.ts';
import type { EnvironmentConfig } from './environment-settings.ts';
import type { FileTree } from './file-tree.ts';
import type { RubyFunctionFile } from './function-files.ts';
import { globFiles } from './glob.ts';
import { LoadableFinder } from './loadable.ts';
import { isWithin, joinPath } from './logical-path.ts';
import { ManifestLoader } from './manifest-loader.ts';
import { discoverModules, hiddenLibraries, type Module, type ModuleProblem } from './module.ts';
import type { ParseCache } from './parse-cache.ts';
import { findPlanFile, type PlanFile, planNames, solePlan } from './plan-files.ts';
import { readableFileTree } from './readable-file-tree.ts';
import { ResourceTypeFinder } from './resource-type-finder.ts';
import type { ResourceTypeSource } from './resource-type-source.ts';

/** Something to be logged that came up while files were read, not while a manifest was evaluated. */
export type EnvironmentWarning =
  | { readonly kind: 'diagnostic'; readonly diagnostic: Diagnostic }
  | ({ readonly kind: 'module' } & ModuleProblem);

/**
 * One version of an environment. Nothing in it depends on a node: all compiles of that version share it.
 * Files are read and parsed when they are first needed; what was found, and what was not, is remembered.
 *
 * Names are taken in any case, with or without `::` in front. Whatever parses files may throw a `PuppetError`,
 * each time that it is asked for.
 */
export class Environment {
  readonly config: EnvironmentConfig;
  readonly files: FileTree;
  private readonly cache: ParseCache;
  private readonly manifests: ManifestLoader;
  private readonly loadables: LoadableFinder;
  private readonly resourceTypes: ResourceTypeFinder;
  private readonly warnings: EnvironmentWarning[] = [];
  private readonly attachments = new Map<object, unknown>();
  private knownLibraries: readonly string[] | undefined;
  private knownHiddenLibraries: readonly string[] | undefined;
  private knownModules: ReadonlyMap<string, Module> | undefined;
  private main: readonly Program[] | undefined;

  /** @param resourceTypes - reads types from Ruby files; without it, they are left to real Ruby */
  constructor(
    config: EnvironmentConfig,
    tree: FileTree,
    cache: ParseCache,
    resourceTypes?: ResourceTypeSource,
  ) {
    const files = readableFileTree(tree);
    this.config = config;
    this.files = files;
    this.cache = cache;
    const modules = (): ReadonlyMap<string, Module> => this.modules;
    const parse = (file: string): Program => this.parseFile(file);
    this.manifests = new ManifestLoader({
      modules,
      files,
      level: config.settings.level,
      parseFile: (file, module) => {
        const program = parse(file);
        this.loadables.remember(program, module);
        return program;
      },
    });
    this.loadables = new LoadableFinder({
      environmentDirectory: config.directory,
      modules,
      hiddenLibraries: () => this.hiddenLibraries,
      files,
      parseFile: parse,
      parseText: (file, text) => this.parse(file, text),
    });
    this.resourceTypes = new ResourceTypeFinder({
      environmentDirectory: config.directory,
      libraries: () => this.libraries,
      puppetVersion: puppetVersionOf(config.settings),
      level: config.settings.level,
      files,
      parse,
      source: resourceTypes,
    });
  }

  get name(): string {
    return this.config.name;
  }

  /** By name, in the order of the modulepath. */
  get modules(): ReadonlyMap<string, Module> {
    this.knownModules ??= discoverModules(this.config, this.files, (problem) => {
      this.warnings.push({ kind: 'module', ...problem });
    });
    return this.knownModules;
  }

  /**
   * Where Ruby code is looked for, in this order: `lib` of the environment, of its modules, of directories that are hidden by
   * modules of their name, and of the modules that packages of Puppet bring along.
   */
  get libraries(): readonly string[] {
    this.knownLibraries ??= [
      ...this.librariesIn([this.config.directory, ...this.moduleDirectories()]),
      ...this.hiddenLibraries,
      ...this.librariesIn(this.vendorDirectories()),
    ];
    return this.knownLibraries;
  }

  private get hiddenLibraries(): readonly string[] {
    this.knownHiddenLibraries ??= hiddenLibraries(this.config, this.files, this.modules);
    return this.knownHiddenLibraries;
  }

  private librariesIn(directories: readonly string[]): readonly string[] {
    return directories
      .map((directory) => joinPath(directory, 'lib'))
      .filter((directory) => this.files.kind(directory) === 'directory');
  }

  private moduleDirectories(): readonly string[] {
    return Array.from(this.modules.values(), ({ directory }) => directory);
  }

  private vendorDirectories(): readonly string[] {
    const { vendorModuleDirectory } = this.config;
    if (vendorModuleDirectory === undefined) return [];
    return (this.files.list(vendorModuleDirectory) ?? [])
      .filter(({ kind, name }) => kind === 'directory' && !name.startsWith('.'))
      .map(({ name }) => joinPath(vendorModuleDirectory, name));
  }

  /**
   * The main manifest's files in the order of their evaluation; empty when there are none.
   * Their definitions are known from the first call on: every other method makes it when it must.
   */
  mainPrograms(): readonly Program[] {
    if (this.main !== undefined) return this.main;
    const programs = this.parseMain();
    for (const program of programs) {
      this.manifests.table.add(program, undefined);
      this.loadables.remember(program, undefined);
    }
    this.main = programs;
    return programs;
  }

  /** Node definitions of the main manifest, in the order of their appearance. */
  nodeDefinitions(): readonly Found<NodeDefinition>[] {
    this.mainPrograms();
    return this.manifests.table.nodeDefinitions();
  }

  findClass(name: string): Found<HostClassDefinition> | undefined {
    this.mainPrograms();
    return this.manifests.findClass(name);
  }

  findDefinedType(name: string): Found<ResourceTypeDefinition> | undefined {
    this.mainPrograms();
    return this.manifests.findDefinedType(name);
  }

  /**
   * A function in the Puppet language; look for built-in ones first, for `rubyFunctionFile` afterwards.
   *
   * @param user - the module whose code calls it: it sees its own and those of its dependencies first
   */
  findFunction(name: string, user?: Module): Found<FunctionDefinition> | undefined {
    this.mainPrograms();
    return this.loadables.findFunction(normalise(name), user);
  }

  /** The file of a plan: in the Puppet language, or else in YAML. */
  findPlanFile(name: string): PlanFile | undefined {
    return findPlanFile(normalise(name), this.modules, this.files);
  }

  /** The names of all plans, sorted. */
  planNames(): readonly string[] {
    return planNames(this.modules, this.files);
  }

  /**
   * A plan. Only environments of the kind that `isScript` makes have any.
   *
   * @param translate - makes code in the Puppet language of a plan in YAML
   */
  findPlan(
    name: string,
    translate: (yaml: string, file: string) => string,
  ): Found<PlanDefinition> | undefined {
    const file = this.findPlanFile(name);
    if (file === undefined) return undefined;
    const { language, module, path } = file;
    const program =
      language === 'puppet'
        ? this.parseFile(path)
        : this.parse(path, translate(this.files.readText(path) ?? '', path));
    return solePlan(program, normalise(name), module);
  }

  findTypeAlias(name: string): Found<TypeAlias | TypeDefinition> | undefined {
    this.mainPrograms();
    return this.loadables.findType(normalise(name));
  }

  /** The Ruby file that has the methods of a data type; `undefined` for types that are in the Puppet language. */
  dataTypeFile(name: string): string | undefined {
    const file = this.findTypeAlias(name)?.program.source.file;
    return file?.endsWith('.rb') === true ? file : undefined;
  }

  /** Whether a type is found by its file, in whichever manifest it is used. */
  isTypeInFile(name: string): boolean {
    const found = this.findTypeAlias(name);
    return found !== undefined && !this.mainPrograms().includes(found.program);
  }

  /**
   * A resource type that is not defined in the Puppet language: built in, generated, or read from a module's Ruby.
   * `undefined` also for what only Ruby can tell: `rubyTypeFile` is known then.
   */
  findResourceType(name: string): ResourceTypeInfo | undefined {
    return this.resourceTypes.find(normalise(name));
  }

  /** The Ruby file that defines a function, in the environment or a module. @param user - see `findFunction` */
  rubyFunctionFile(name: string, user?: Module): RubyFunctionFile | undefined {
    return this.loadables.rubyFunctionFile(normalise(name), user);
  }

  /** The Ruby file of a function of the older kind, also where one of the newer kind takes precedence. */
  legacyFunctionFile(name: string): string | undefined {
    return this.loadables.legacyFunctionFile(normalise(name));
  }

  /** The Ruby file that defines a resource type, in the environment or a module. */
  rubyTypeFile(name: string): string | undefined {
    return this.resourceTypes.rubyFile(normalise(name));
  }

  /** Types whose files define a constant, directly or through files that they load. */
  typesDefining(constant: string): readonly string[] {
    return this.resourceTypes.typesDefining(constant);
  }

  /** Why a type could not be read from its Ruby file; `undefined` for all others. */
  resourceTypeProblem(name: string): string | undefined {
    return this.resourceTypes.problem(normalise(name));
  }

  /** `module/path` below the module's `files`; absolute paths are those of the tree. Logical path, if it exists. */
  findFile(reference: string): string | undefined {
    return this.findInModule(reference, 'files');
  }

  /** `module/path` below the module's `templates`; absolute paths are those of the tree. */
  findTemplate(reference: string): string | undefined {
    return this.findInModule(reference, 'templates');
  }

  /** The module that a file belongs to. */
  moduleAt(path: string): Module | undefined {
    const { modulepath, ownModuleDirectory = '' } = this.config;
    const root = [...modulepath, ownModuleDirectory].find(
      (directory) => directory !== '' && isWithin(path, directory),
    );
    const name =
      root === undefined
        ? undefined
        : path
            .slice(root.length)
            .split('/')
            .find((part) => part !== '');
    const module = name === undefined ? undefined : this.modules.get(name);
    return module !== undefined && isWithin(path, module.directory) ? module : undefined;
  }

  /** What came up since the last call: for the log of the compile that happened to read the files. */
  takeWarnings(): readonly EnvironmentWarning[] {
    return this.warnings.splice(0, this.warnings.length);
  }

  /**
   * State that lives as long as this version of the environment: made by the first call for `key`.
   * For folders that depend on this one (Hiera's data, lowered definitions, ...).
   */
  attached<T>(key: AttachmentKey<T>): T {
    const known = this.attachments.get(key);
    // The key's own `create` made it: nothing else writes to the map.
    if (known !== undefined) return known as T;
    const created = key.create(this);
    this.attachments.set(key, created);
    return created;
  }

  /** Supplies the state for `key`, before anything has asked for it. */
  attach<T>(key: AttachmentKey<T>, state: T): void {
    if (this.attachments.has(key)) throw new Error('the state has been made already');
    this.attachments.set(key, state);
  }

  private parseMain(): readonly Program[] {
    const { code, manifest } = this.config;
    if (code !== undefined) return [this.parse('', code)];
    const kind = this.files.kind(manifest);
    if (kind === 'directory') {
      return globFiles(this.files, joinPath(manifest, '**/*.pp'))
        .toSorted()
        .map((file) => this.parseFile(file));
    }
    if (kind === 'file') return [this.parseFile(manifest)];
    const withSuffix = `${manifest}.pp`;
    if (manifest.endsWith('.pp') || this.files.kind(withSuffix) !== 'file') return [];
    return [this.parseFile(withSuffix)];
  }

  private parseFile(file: string): Program {
    return this.parse(file, manifestText(this.files.readBytes(file), file));
  }

  private parse(file: string, text: string): Program {
    const { level, strict } = this.config.settings;
    const log = (diagnostic: Diagnostic): void => {
      this.warnings.push({ kind: 'diagnostic', diagnostic });
    };
    const namespace = file === '' ? undefined : namespaceOfFile(file, this.config);
    const isPlan = this.config.isScript === true;
    const options = { level, strict, log, ...(isPlan ? { isPlan } : {}) };
    return this.cache.parse({ file, text }, namespace === undefined ? options : { ...options, namespace });
  }

  private findInModule(reference: string, directory: string): string | undefined {
    if (reference.startsWith('/')) return this.files.kind(reference) === undefined ? undefined : reference;
    const slash = reference.indexOf('/');
    const module = slash === -1 ? undefined : this.modules.get(reference.slice(0, slash));
    if (module === undefined) return undefined;
    const path = joinPath(module.directory, directory, reference.slice(slash + 1));
    return this.files.kind(path) === undefined ? undefined : path;
  }
}

/** Names state that is attached to an environment; make one constant of it. */
export interface AttachmentKey<T> {
  create(environment: Environment): T;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws PuppetError when a manifest is not UTF-8, be it in a comment, as the reference does */
function manifestText(bytes: Uint8Array | undefined, file: string): string {
  if (bytes === undefined) return '';
  try {
    return utf8.decode(bytes);
  } catch {
    throw new PuppetError({
      code: 'syntax_error',
      severity: 'error',
      message: 'invalid byte sequence in UTF-8',
      file,
    });
  }
}

function normalise(name: string): string {
  return (name.startsWith('::') ? name.slice(2) : name).toLowerCase();
}
