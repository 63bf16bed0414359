/** The data files of one version of an environment, read and parsed once for all compiles. */

import {
  type AttachmentKey,
  type Environment,
  expandPath,
  type FileTree,
  globFiles,
} from '../environment/index.ts';
import { PuppetHash, RegexpValue, type Value } from '../pcore/index.ts';
import { DATA_READERS, type DataFile, dataText, parseYamlFile } from './data-file.ts';
import {
  type ConfigSource,
  configVersion,
  decodeConfig,
  type HierarchyConfig,
  type HierarchyEntry,
} from './hierarchy-config.ts';
import { LookupError, rubyError } from './lookup-error.ts';
import { type MergeStrategy, mergeStrategy } from './merge-strategy.ts';

/** A `hiera.yaml` as found; older and unusable ones are told apart, so that each layer can say what it thinks. */
export type LoadedConfig =
  | { readonly kind: 'config'; readonly config: HierarchyConfig }
  | { readonly kind: 'version-3'; readonly path: string; readonly isNoHash: boolean };

/** Options with expressions in them may differ between nodes: not all of their patterns are kept. */
const MOST_PATTERNS = 1000;
/** Paths with expressions in them differ between nodes: not all of them are remembered. */
const MOST_PATHS = 10_000;

export class HieraFiles {
  readonly tree: FileTree;
  /** The same, with `..` resolved. */
  private readonly resolving: FileTree;
  private readonly existing = new Map<string, boolean>();
  private readonly matching = new Map<string, readonly string[]>();
  private readonly data = new Map<string, DataFile>();
  private readonly configs = new Map<string, LoadedConfig>();
  private readonly texts = new Map<string, string>();
  private readonly plain = new WeakMap<PuppetHash, Set<string>>();
  private readonly patterns = new Map<string, RegexpValue>();
  private readonly usable = new WeakSet<HierarchyEntry>();
  private readonly strategies = new WeakMap<PuppetHash, MergeStrategy>();

  constructor(tree: FileTree) {
    this.tree = tree;
    this.resolving = {
      readBytes: (path) => tree.readBytes(this.resolved(path)),
      readText: (path) => tree.readText(this.resolved(path)),
      list: (path) => tree.list(this.resolved(path)),
      kind: (path) => tree.kind(this.resolved(path)),
    };
  }

  /** Whether there is anything at the path, directories included. */
  exists(path: string): boolean {
    const known = this.existing.get(path);
    if (known !== undefined) return known;
    const exists = this.resolving.kind(path) !== undefined;
    if (this.existing.size >= MOST_PATHS) this.existing.clear();
    this.existing.set(path, exists);
    return exists;
  }

  /** The files that match an absolute pattern, in the order of Ruby's `Dir.glob`. */
  glob(pattern: string): readonly string[] {
    let paths = this.matching.get(pattern);
    if (paths === undefined) {
      paths = globFiles(this.resolving, pattern);
      if (this.matching.size >= MOST_PATTERNS) this.matching.clear();
      this.matching.set(pattern, paths);
    }
    return paths;
  }

  /** Whether the function of an entry is known to be there and to be declared as it must be. */
  isUsable(entry: HierarchyEntry): boolean {
    return this.usable.has(entry);
  }

  rememberUsable(entry: HierarchyEntry): void {
    this.usable.add(entry);
  }

  /** @throws PuppetError when there is no such file, LookupError when it is not UTF-8 */
  text(path: string): string {
    const known = this.texts.get(path);
    if (known !== undefined) return known;
    const bytes = this.resolving.readBytes(path);
    if (bytes === undefined) throw rubyError(`No such file or directory @ rb_file_s_stat - ${path}`);
    const text = dataText(bytes, 'cached_file_data', path);
    this.texts.set(path, text);
    return text;
  }

  /**
   * @param reader - the name of a built-in function that reads files
   * @throws LookupError naming the file, each time; PuppetError for a directory
   */
  read(reader: string, path: string): DataFile {
    const key = `${reader}\0${path}`;
    const known = this.data.get(key);
    if (known !== undefined) return known;
    const read = DATA_READERS.get(reader);
    const bytes = this.resolving.readBytes(path);
    if (read === undefined || bytes === undefined) {
      throw rubyError(`Is a directory @ io_fread - ${path}`);
    }
    const file = read(dataText(bytes, reader, path), path);
    this.data.set(key, file);
    return file;
  }

  /** `..` may lead out of a directory that the tree keeps elsewhere, so that it is not left to the disk. */
  private resolved(path: string): string {
    const up = path.indexOf('/..');
    if (up === -1 || !/\/\.\.(\/|$)/.test(path)) return path;
    return this.tree.kind(path.slice(0, up) || '/') === 'directory' ? expandPath(path, '/') : path;
  }

  /** Whether the value of a key is known to be valid and without expressions. */
  isPlain(data: PuppetHash, key: string): boolean {
    return this.plain.get(data)?.has(key) === true;
  }

  rememberPlain(data: PuppetHash, key: string): void {
    const keys = this.plain.get(data);
    if (keys === undefined) this.plain.set(data, new Set([key]));
    else keys.add(key);
  }

  /** The expression of a text, compiled once: compiling costs as much as many lookups. */
  readonly pattern = (source: string): RegexpValue => {
    let pattern = this.patterns.get(source);
    if (pattern === undefined) {
      pattern = new RegexpValue(source);
      if (this.patterns.size >= MOST_PATTERNS) this.patterns.clear();
      this.patterns.set(source, pattern);
    }
    return pattern;
  };

  /** `mergeStrategy`, made once for the options that stand in a file. @throws LookupArgumentError */
  strategy(merge: Value | undefined): MergeStrategy {
    if (!(merge instanceof PuppetHash)) return mergeStrategy(merge);
    let strategy = this.strategies.get(merge);
    if (strategy === undefined) {
      strategy = mergeStrategy(merge);
      this.strategies.set(merge, strategy);
    }
    return strategy;
  }

  /** @throws PuppetError for a configuration that cannot be used, each time */
  config(source: Omit<ConfigSource, 'text'>): LoadedConfig {
    const known = this.configs.get(source.path);
    if (known !== undefined) return known;
    const loaded = this.loadConfig(source);
    this.configs.set(source.path, loaded);
    return loaded;
  }

  private loadConfig(source: Omit<ConfigSource, 'text'>): LoadedConfig {
    const { path } = source;
    const { text, value: parsed } = parseYamlFile(this.tree.readBytes(path) ?? new Uint8Array(), path);
    if (!(parsed instanceof PuppetHash)) return { kind: 'version-3', path, isNoHash: true };
    const version = configVersion(parsed);
    if (version === 3) return { kind: 'version-3', path, isNoHash: false };
    if (version !== 4 && version !== 5) {
      throw new LookupError(`This runtime does not support hiera.yaml version ${version}`, {
        issue: 'hiera_unsupported_version',
        position: { file: path },
      });
    }
    return { kind: 'config', config: decodeConfig(parsed, { ...source, text }) };
  }
}

/** One for each version of an environment. */
export const HIERA_FILES: AttachmentKey<HieraFiles> = {
  create: (environment: Environment) => new HieraFiles(environment.files),
};
