/** What files of resource types define besides the type that they are named after: other types, and constants. */

import type { FileTree } from './file-tree.ts';
import { baseName, directoryOf, expandPath, joinPath } from './logical-path.ts';

/** Calls that define a type. */
const definitions = /\bnewtype[\s(]+:?["']?(\w+)|\bregister_type[\s(]+\{?\s*:?name(?::|\s*=>)\s*["'](\w+)/g;
const requires = /^\s*require(_relative)?[\s(]+["']([^"']+)["']/gm;
const constants = /^\s*(?:class|module)\s+([\w:]+)|^\s*([A-Z]\w*)\s*=[^=~>]/gm;

/** The Ruby files of one version of an environment. Each list is made when it is first needed. */
export class TypeFiles {
  private readonly libraries: () => readonly string[];
  private readonly files: FileTree;
  private byName: ReadonlyMap<string, string> | undefined;
  private further: ReadonlyMap<string, string> | undefined;
  private definers: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  /** @param libraries - `lib` directories in order of precedence */
  constructor(libraries: () => readonly string[], files: FileTree) {
    this.libraries = libraries;
    this.files = files;
  }

  /**
   * The file of another type that defines this one, too. The reference knows such a type once that file was loaded, for
   * whatever reason; here no compile depends on what was used before.
   */
  findFurther(name: string): string | undefined {
    this.further ??= this.listFurther();
    return this.further.get(name);
  }

  /**
   * The types whose files define a constant, or require a file that does, or have a provider that does: once such a type
   * is used, code in Ruby may use the constant.
   *
   * @param constant - without the modules around it
   */
  typesDefining(constant: string): readonly string[] {
    this.definers ??= this.listDefiners();
    return [...(this.definers.get(constant) ?? [])];
  }

  private listFurther(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const [own, file] of this.typeFiles()) {
      for (const [, ...names] of this.read(file).matchAll(definitions)) {
        const name = (names.find((each) => each !== undefined) ?? '').toLowerCase();
        if (name !== own && !found.has(name)) found.set(name, file);
      }
    }
    return found;
  }

  private listDefiners(): ReadonlyMap<string, ReadonlySet<string>> {
    const found = new Map<string, Set<string>>();
    for (const [type, file] of this.typeFiles()) {
      for (const loaded of this.loadedWith(type, file)) {
        for (const [, module, constant] of this.read(loaded).matchAll(constants)) {
          for (const name of (module ?? constant ?? '').split('::')) {
            const types = found.get(name);
            if (types === undefined) found.set(name, new Set([type]));
            else types.add(type);
          }
        }
      }
    }
    return found;
  }

  /** The files of types by name, of those with the same name the first. */
  private typeFiles(): ReadonlyMap<string, string> {
    if (this.byName !== undefined) return this.byName;
    const byName = new Map<string, string>();
    for (const file of this.rubyFiles('puppet/type')) {
      const name = baseName(file).slice(0, -'.rb'.length);
      if (!byName.has(name)) byName.set(name, file);
    }
    this.byName = byName;
    return byName;
  }

  private rubyFiles(directory: string): readonly string[] {
    return this.libraries().flatMap((library) => {
      const parent = joinPath(library, directory);
      const entries = this.files.list(parent) ?? [];
      return entries
        .filter(({ kind, name }) => kind === 'file' && name.endsWith('.rb'))
        .map(({ name }) => joinPath(parent, name));
    });
  }

  /** A type's file, its providers, and what these require of the environment. */
  private loadedWith(type: string, file: string): ReadonlySet<string> {
    const loaded = new Set([file, ...this.rubyFiles(`puppet/provider/${type}`)]);
    // A set visits what is added meanwhile.
    for (const path of loaded) {
      for (const [, isRelative, feature = ''] of this.read(path).matchAll(requires)) {
        const required = isRelative === undefined ? this.inLibrary(feature) : relative(feature, path);
        if (required !== undefined && this.files.kind(required) === 'file') loaded.add(required);
      }
    }
    return loaded;
  }

  private inLibrary(feature: string): string | undefined {
    return this.libraries()
      .map((library) => joinPath(library, withSuffix(feature)))
      .find((path) => this.files.kind(path) === 'file');
  }

  private read(path: string): string {
    return this.files.readText(path) ?? '';
  }
}

function relative(feature: string, path: string): string {
  return expandPath(withSuffix(feature), directoryOf(path));
}

function withSuffix(feature: string): string {
  return feature.endsWith('.rb') ? feature : `${feature}.rb`;
}
