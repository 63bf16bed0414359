/** The files of functions, and which of several of one name a caller gets. */

import type { FileTree } from './file-tree.ts';
import { type LoadablePlace, placesOf, puppetPath } from './loadable-places.ts';
import { joinPath } from './logical-path.ts';
import type { Module } from './module.ts';

/** A function written in Ruby, not read by the language itself. */
export interface RubyFunctionFile {
  readonly path: string;
  /** `4.x`: `Puppet::Functions.create_function`; `3.x`: `newfunction`. */
  readonly api: '4.x' | '3.x';
  /** `undefined` for the environment's own `lib` directory. */
  readonly module: Module | undefined;
}

type FunctionFile =
  | (RubyFunctionFile & { readonly language: 'ruby' })
  | { readonly language: 'puppet'; readonly path: string; readonly module: Module | undefined };

const legacyDirectory = 'lib/puppet/parser/functions';

/** Where functions lie, in the order in which a place is searched. */
const DIRECTORIES = [
  { directory: 'lib/puppet/functions', suffix: '.rb', file: { language: 'ruby', api: '4.x' } },
  { directory: 'functions', suffix: '.pp', file: { language: 'puppet' } },
  { directory: legacyDirectory, suffix: '.rb', file: { language: 'ruby', api: '3.x' } },
] as const;

/** A call that defines a function. */
const newFunction = /\bnewfunction[\s(]+:?["']?([\w:]+)/g;

export interface FunctionFilesOptions {
  readonly environmentDirectory: string;
  readonly modules: () => ReadonlyMap<string, Module>;
  /** `lib` directories of no module that may define functions of the older kind. */
  readonly hiddenLibraries: () => readonly string[];
  readonly files: FileTree;
}

export class FunctionFiles {
  private readonly environmentDirectory: string;
  private readonly modules: () => ReadonlyMap<string, Module>;
  private readonly hiddenLibraries: () => readonly string[];
  private readonly files: FileTree;
  private readonly qualified = new Map<string, readonly FunctionFile[]>();
  private unqualified: ReadonlyMap<string, readonly FunctionFile[]> | undefined;
  private further: ReadonlyMap<string, RubyFunctionFile> | undefined;

  constructor({ environmentDirectory, files, hiddenLibraries, modules }: FunctionFilesOptions) {
    this.environmentDirectory = environmentDirectory;
    this.modules = modules;
    this.hiddenLibraries = hiddenLibraries;
    this.files = files;
  }

  /**
   * The environment's own function goes before all others. Code of a module gets the module's own next, then those of its
   * dependencies in the order of `metadata.json`, then any other module's; code of the environment that of the first module.
   * Of functions of the older kind the reference keeps the first of a name that anybody has called; here no compile
   * depends on what was called before.
   *
   * @param user - whose code calls the function; `undefined` for the environment
   */
  find(name: string, user: Module | undefined): FunctionFile | undefined {
    const all = this.filesOf(name);
    if (all === undefined || all.length === 0) {
      const further = this.findFurther(name);
      return further === undefined ? undefined : { ...further, language: 'ruby' };
    }
    if (all.length < 2 || user === undefined || all[0]?.module === undefined) return all[0];
    return visibleFirst(all, user);
  }

  /**
   * The file of a function of the older kind that is not named after it: a file that defines several functions. The
   * reference knows such a function only after the file was loaded; here a compile does not depend on earlier calls. Failing
   * that, a file in a directory that a module of the same name hides.
   */
  findFurther(name: string): RubyFunctionFile | undefined {
    this.further ??= this.listFurther();
    return this.further.get(name);
  }

  private listFurther(): ReadonlyMap<string, RubyFunctionFile> {
    const found = new Map<string, RubyFunctionFile>();
    for (const { directory: root, module } of placesOf('', this.environmentDirectory, this.modules())) {
      for (const { names, path } of this.legacyFiles(joinPath(root, legacyDirectory))) {
        if (names.length < 2) continue;
        for (const name of names) if (!found.has(name)) found.set(name, { api: '3.x', path, module });
      }
    }
    for (const library of this.hiddenLibraries()) {
      for (const { names, path } of this.legacyFiles(joinPath(library, 'puppet/parser/functions')))
        for (const name of names)
          if (!found.has(name)) found.set(name, { api: '3.x', path, module: undefined });
    }
    return found;
  }

  /** The files of a directory with the functions that each defines. */
  private *legacyFiles(
    parent: string,
  ): Iterable<{ readonly path: string; readonly names: readonly string[] }> {
    for (const { kind, name: entry } of this.files.list(parent) ?? []) {
      if (kind !== 'file' || !entry.endsWith('.rb')) continue;
      const path = joinPath(parent, entry);
      const text = this.files.readText(path) ?? '';
      yield { path, names: Array.from(text.matchAll(newFunction), ([, name = '']) => name) };
    }
  }

  /** One of each place: the environment, then the modules in their order. */
  private filesOf(name: string): readonly FunctionFile[] | undefined {
    if (!name.includes('::')) {
      this.unqualified ??= this.listUnqualified();
      return this.unqualified.get(name);
    }
    let found = this.qualified.get(name);
    if (found === undefined) this.qualified.set(name, (found = this.findQualified(name)));
    return found;
  }

  private findQualified(name: string): readonly FunctionFile[] {
    return Array.from(placesOf(name, this.environmentDirectory, this.modules())).flatMap((place) => {
      const segments = name.split('::');
      for (const { directory, file, suffix } of DIRECTORIES) {
        const path =
          file.language === 'puppet'
            ? puppetPath(place, directory, name)
            : `${joinPath(place.directory, directory, ...segments)}${suffix}`;
        if (path !== undefined && this.files.kind(path) === 'file')
          return [{ ...file, path, module: place.module }];
      }
      return [];
    });
  }

  /** Directories are listed once: most modules have no function of most names. */
  private listUnqualified(): ReadonlyMap<string, readonly FunctionFile[]> {
    const all = new Map<string, FunctionFile[]>();
    for (const place of placesOf('', this.environmentDirectory, this.modules())) {
      for (const [name, file] of this.listPlace(place)) {
        const known = all.get(name);
        if (known === undefined) all.set(name, [file]);
        else known.push(file);
      }
    }
    return all;
  }

  private listPlace({ directory: root, module }: LoadablePlace): ReadonlyMap<string, FunctionFile> {
    const found = new Map<string, FunctionFile>();
    for (const { directory, file, suffix } of DIRECTORIES) {
      // In a module, a function in the Puppet language has the module's name in front.
      if (file.language === 'puppet' && module !== undefined) continue;
      const parent = joinPath(root, directory);
      for (const { kind, name: entry } of this.files.list(parent) ?? []) {
        const name = entry.slice(0, -suffix.length);
        if (kind === 'file' && entry.endsWith(suffix) && !found.has(name))
          found.set(name, { ...file, path: joinPath(parent, entry), module });
      }
    }
    return found;
  }
}

function visibleFirst(all: readonly FunctionFile[], user: Module): FunctionFile | undefined {
  const names = [user.name, ...(user.metadata?.dependencies ?? []).map(({ name }) => name.split('/')[1])];
  for (const wanted of names) {
    const found = all.find(({ module }) => module?.name === wanted);
    if (found !== undefined) return found;
  }
  return all[0];
}
