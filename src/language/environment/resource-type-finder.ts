/** Resource types that are not defined in manifests: where they may come from, each looked for once. */

import { coreResourceTypes, type ResourceTypeInfo, vendoredResourceTypes } from '../catalog/index.ts';
import type { LanguageLevel } from '../levels/index.ts';
import type { Program } from '../syntax/index.ts';
import type { FileTree } from './file-tree.ts';
import { readGeneratedType } from './generated-resource-type.ts';
import { joinPath } from './logical-path.ts';
import type { ResourceTypeSource } from './resource-type-source.ts';
import { TypeFiles } from './type-files.ts';

export interface ResourceTypeFinderOptions {
  readonly environmentDirectory: string;
  readonly puppetVersion: string;
  readonly level: LanguageLevel;
  /** Directories whose `puppet/type` may have types in Ruby, in order of precedence. */
  readonly libraries: () => readonly string[];
  readonly files: FileTree;
  readonly parse: (file: string) => Program;
  readonly source: ResourceTypeSource | undefined;
}

interface Found {
  readonly type: ResourceTypeInfo | undefined;
  /** The Ruby file, where it is left to Ruby. */
  readonly file: string | undefined;
  readonly problem: string | undefined;
}

const NOT_FOUND: Found = { type: undefined, file: undefined, problem: undefined };

/** Names are lower case, without `::` in front. */
export class ResourceTypeFinder {
  private readonly options: ResourceTypeFinderOptions;
  private readonly known = new Map<string, Found>();
  private readonly typeFiles: TypeFiles;

  constructor(options: ResourceTypeFinderOptions) {
    this.options = options;
    this.typeFiles = new TypeFiles(options.libraries, options.files);
  }

  /** @throws PuppetError when a generated type is no such thing */
  find(name: string): ResourceTypeInfo | undefined {
    return this.lookUp(name).type;
  }

  /** The file of a type in Ruby, read or not; `undefined` for types that are not from Ruby. */
  rubyFile(name: string): string | undefined {
    return this.lookUp(name).file;
  }

  problem(name: string): string | undefined {
    return this.lookUp(name).problem;
  }

  /** Types whose files define a constant, directly or through files that they load. */
  typesDefining(constant: string): readonly string[] {
    return this.typeFiles.typesDefining(constant);
  }

  private lookUp(name: string): Found {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const found = name.includes(':') || name.includes('/') ? NOT_FOUND : this.search(name);
    this.known.set(name, found);
    return found;
  }

  /** What was generated hides everything else of its name, as in the reference. */
  private search(name: string): Found {
    const { environmentDirectory, files, level, parse } = this.options;
    const generated = joinPath(environmentDirectory, '.resource_types', `${name}.pp`);
    if (files.kind(generated) === 'file') {
      return { ...NOT_FOUND, type: readGeneratedType(parse(generated), name) };
    }
    const core = coreResourceTypes.get(name);
    return core === undefined ? this.searchRuby(name) : { ...NOT_FOUND, type: atLevel(core, level) };
  }

  private searchRuby(name: string): Found {
    const { files, libraries, puppetVersion, source } = this.options;
    const directories = libraries();
    const own = directories
      .map((directory) => joinPath(directory, 'puppet/type', `${name}.rb`))
      .find((path) => files.kind(path) === 'file');
    const vendored = own === undefined ? vendoredResourceTypes.get(name) : undefined;
    if (vendored !== undefined) return { ...NOT_FOUND, type: vendored };
    const file = own ?? this.typeFiles.findFurther(name);
    if (file === undefined) return NOT_FOUND;
    if (source === undefined) return { ...NOT_FOUND, file };
    const read = source.read(name, file, { tree: files, directories, puppetVersion });
    if (read.kind === 'none') return NOT_FOUND;
    return read.kind === 'type'
      ? { type: read.type, file, problem: undefined }
      : { type: undefined, file, problem: read.reason };
  }
}

function atLevel(type: ResourceTypeInfo, { addedParameters }: LanguageLevel): ResourceTypeInfo {
  const added = addedParameters[type.name];
  return added === undefined ? type : { ...type, parameters: new Set([...type.parameters, ...added]) };
}
