/** The library directories of an environment, with a record of the files read from them. */

import { createHash } from 'node:crypto';
import type { RubyParser, RubyProgram } from '../../../lib/ruby-syntax/index.ts';
import type { RubyFiles } from './interpreter.ts';
import { Unmodelled } from './unmodelled.ts';

/** The environment's view of files; paths are logical. */
export interface SourceTree {
  readText(path: string): string | undefined;
  list(path: string): readonly { readonly name: string; readonly kind: 'file' | 'directory' }[] | undefined;
  kind(path: string): 'file' | 'directory' | undefined;
}

/** Where the Ruby of an environment is. */
export interface Libraries {
  readonly tree: SourceTree;
  /** The `lib` directories in order of precedence. */
  readonly directories: readonly string[];
  /** What Ruby sees as `Puppet.version`. */
  readonly puppetVersion: string;
}

/** What was asked, with the digest of the answer: equal records mean equal answers. */
export type ReadRecord = ReadonlyMap<string, string>;

export class LibraryFiles implements RubyFiles {
  private readonly libraries: Libraries;
  private readonly parser: RubyParser;
  private readonly record = new Map<string, string>();
  private readonly features = new Map<string, string>();

  /** @param feature - `puppet/type/name.rb`, the file that `path` is */
  constructor(libraries: Libraries, parser: RubyParser, path: string, feature: string) {
    this.libraries = libraries;
    this.parser = parser;
    this.features.set(path, feature);
  }

  get puppetVersion(): string {
    this.record.set('version', this.libraries.puppetVersion);
    return this.libraries.puppetVersion;
  }

  get reads(): ReadRecord {
    return this.record;
  }

  find(feature: string): string | undefined {
    for (const directory of this.libraries.directories) {
      const path = `${directory}/${feature}`;
      if (this.libraries.tree.kind(path) !== 'file') continue;
      this.features.set(path, feature);
      this.record.set(`find ${feature}`, 'found');
      return path;
    }
    this.record.set(`find ${feature}`, '');
    return undefined;
  }

  read(path: string): string | undefined {
    const feature = this.featureOf(path);
    const text = this.libraries.tree.readText(path);
    this.record.set(`read ${feature ?? path}`, text === undefined ? '' : digestOf(text));
    return text;
  }

  parse(path: string): RubyProgram | undefined {
    const text = this.read(path);
    // Ruby takes bytes that are not UTF-8 in comments, refuses them elsewhere, and knows other encodings.
    if (text?.includes('\ufffd') === true) throw new Unmodelled('bytes that are not UTF-8');
    return text === undefined ? undefined : this.parser.parse(text);
  }

  parseText(text: string): RubyProgram {
    return this.parser.parse(text);
  }

  /** The Ruby files of a directory in all libraries; of those with the same name, the first. */
  list(directory: string): readonly string[] {
    const found = new Map<string, string>();
    for (const library of this.libraries.directories) {
      for (const { name } of this.libraries.tree.list(`${library}/${directory}`) ?? []) {
        if (name.endsWith('.rb') && !found.has(name)) found.set(name, `${library}/${directory}/${name}`);
      }
    }
    for (const [name, path] of found) this.features.set(path, `${directory}/${name}`);
    this.record.set(`list ${directory}`, [...found.keys()].join('/'));
    return [...found.values()];
  }

  /** Whether another environment gives the same answers. */
  answersAs(reads: ReadRecord): boolean {
    for (const [request, answer] of reads) {
      this.repeat(request);
      if (this.record.get(request) !== answer) return false;
    }
    return true;
  }

  private repeat(request: string): void {
    const [operation = '', ...rest] = request.split(' ');
    const name = rest.join(' ');
    if (operation === 'version') this.record.set(request, this.libraries.puppetVersion);
    else if (operation === 'list') this.list(name);
    else if (operation === 'find') this.find(name);
    else this.read(name.startsWith('/') ? name : (this.pathOf(name) ?? name));
  }

  /** Files inside a library are known by their name there: it is the same in every environment. */
  private featureOf(path: string): string | undefined {
    const known = this.features.get(path);
    if (known !== undefined) return known;
    const directory = this.libraries.directories.find((library) => path.startsWith(`${library}/`));
    return directory === undefined ? undefined : path.slice(directory.length + 1);
  }

  private pathOf(feature: string): string | undefined {
    for (const [path, known] of this.features) if (known === feature) return path;
    const directory = this.libraries.directories.find(
      (library) => this.libraries.tree.kind(`${library}/${feature}`) === 'file',
    );
    return directory === undefined ? undefined : `${directory}/${feature}`;
  }
}

export function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
