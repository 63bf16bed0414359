/** Finds classes and defined types: in what is loaded already, then in the files where they should be. */

import type { LanguageLevel } from '../levels/index.ts';
import type { HostClassDefinition, Program, ResourceTypeDefinition } from '../syntax/index.ts';
import { DefinitionTable, type Found } from './definition-table.ts';
import type { FileTree } from './file-tree.ts';
import { joinPath } from './logical-path.ts';
import type { Module } from './module.ts';

const SAFE_SEGMENT = /^[a-z0-9_][\w-]*$/;

/** Reads, parses and validates one manifest. */
type ParseFile = (file: string, module: Module | undefined) => Program;

export interface ManifestLoaderOptions {
  readonly modules: () => ReadonlyMap<string, Module>;
  readonly files: FileTree;
  readonly level: LanguageLevel;
  readonly parseFile: ParseFile;
}

/**
 * Autoloading by the reference's rules. `a::b::c` is looked for in `a/manifests/b/c.pp`, `a/manifests/b.pp`
 * and `a/manifests/init.pp`; whenever a module is searched, its `init.pp` is loaded, too. Everything in a
 * loaded file becomes known, whatever it was loaded for.
 */
export class ManifestLoader {
  readonly table: DefinitionTable;
  private readonly modules: () => ReadonlyMap<string, Module>;
  private readonly files: FileTree;
  private readonly parseFile: ParseFile;
  private readonly loaded = new Set<string>();
  private readonly missing = new Set<string>();

  constructor({ modules, files, level, parseFile }: ManifestLoaderOptions) {
    this.modules = modules;
    this.files = files;
    this.parseFile = parseFile;
    this.table = new DefinitionTable(level);
  }

  /** `name` in any case, with or without `::` in front. */
  findClass(name: string): Found<HostClassDefinition> | undefined {
    const normal = normalise(name);
    const known = this.table.findClass(normal);
    if (known !== undefined) return known;
    this.autoload(normal, () => this.table.findClass(normal) !== undefined);
    return this.table.findClass(normal);
  }

  /** `name` in any case, with or without `::` in front. */
  findDefinedType(name: string): Found<ResourceTypeDefinition> | undefined {
    const normal = normalise(name);
    const known = this.table.findDefinedType(normal);
    if (known !== undefined) return known;
    this.autoload(normal, () => this.table.findDefinedType(normal) !== undefined);
    return this.table.findDefinedType(normal);
  }

  /** Files are read once: whichever name was asked for, they have told everything that they define. */
  private autoload(name: string, isFound: () => boolean): void {
    if (this.missing.has(name)) return;
    for (const { module, paths } of this.candidates(name)) {
      for (const path of paths) this.load(path, module);
      if (isFound()) return;
    }
    this.missing.add(name);
  }

  private *candidates(name: string): Iterable<{ module: Module; paths: readonly string[] }> {
    const segments = name.split('::');
    const module = segments[0] === undefined ? undefined : this.modules().get(segments[0]);
    if (module === undefined || !segments.every((segment) => SAFE_SEGMENT.test(segment))) return;
    const manifests = joinPath(module.directory, 'manifests');
    const init = joinPath(manifests, 'init.pp');
    for (let length = segments.length; length > 1; length--) {
      yield { module, paths: [init, `${joinPath(manifests, ...segments.slice(1, length))}.pp`] };
    }
    yield { module, paths: [init] };
  }

  private load(path: string, module: Module): void {
    if (this.loaded.has(path) || this.files.kind(path) !== 'file') return;
    const program = this.parseFile(path, module);
    this.table.add(program, module);
    // Marked only now: a wrong file fails every caller, not just the first.
    this.loaded.add(path);
  }
}

function normalise(name: string): string {
  return (name.startsWith('::') ? name.slice(2) : name).toLowerCase();
}
