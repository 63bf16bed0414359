/** Reads resource types, each version of their files once. */

import type { RubyParser } from '../../../lib/ruby-syntax/index.ts';
import type { ReadResourceType } from './extract.ts';
import { extractResourceType } from './extract.ts';
import { type Libraries, LibraryFiles, type ReadRecord } from './library-files.ts';

export interface ResourceTypeReaderOptions {
  readonly parser: RubyParser;
  /** How many results are kept. */
  readonly capacity?: number;
}

interface Kept {
  readonly reads: ReadRecord;
  readonly result: ReadResourceType;
}

const DEFAULT_CAPACITY = 2000;

/**
 * Shared by all environments and versions of a worker: a result is kept with the digests of all files that it came
 * from, and given again wherever they are the same.
 */
export class ResourceTypeReader {
  private readonly options: ResourceTypeReaderOptions;
  private readonly kept = new Map<string, readonly Kept[]>();

  constructor(options: ResourceTypeReaderOptions) {
    this.options = options;
  }

  /** @param file - below `puppet/type` in one of the libraries; mostly `NAME.rb` */
  read(name: string, file: string, libraries: Libraries): ReadResourceType {
    const { parser } = this.options;
    const open = (): LibraryFiles =>
      new LibraryFiles(libraries, parser, file, `puppet/type/${file.slice(file.lastIndexOf('/') + 1)}`);
    const known = this.kept.get(name) ?? [];
    const match = known.find(({ reads }) => open().answersAs(reads));
    if (match !== undefined) return match.result;
    const files = open();
    const result = extractResourceType({ name, file, files });
    this.keep(name, [...known.slice(-7), { reads: files.reads, result }]);
    return result;
  }

  private keep(name: string, results: readonly Kept[]): void {
    this.kept.delete(name);
    this.kept.set(name, results);
    const oldest = this.kept.keys().next();
    if (this.kept.size > (this.options.capacity ?? DEFAULT_CAPACITY) && oldest.done !== true) {
      this.kept.delete(oldest.value);
    }
  }
}
