/** Functions and types: where they may lie, and what their files must look like. */

import {
  type Definition,
  type FunctionDefinition,
  type Program,
  PuppetError,
  type TypeAlias,
  type TypeDefinition,
} from '../syntax/index.ts';
import { dataTypeAlias, dataTypePath } from './data-type-file.ts';
import type { Found } from './definition-table.ts';
import type { FileTree } from './file-tree.ts';
import { FunctionFiles, type RubyFunctionFile } from './function-files.ts';
import { type LoadablePlace, placesOf, typePath } from './loadable-places.ts';
import { joinPath } from './logical-path.ts';
import type { Module } from './module.ts';

type FoundFunction = Found<FunctionDefinition>;
type FoundType = Found<TypeAlias | TypeDefinition>;

export interface LoadableFinderOptions {
  readonly environmentDirectory: string;
  readonly modules: () => ReadonlyMap<string, Module>;
  /** `lib` directories of no module that may define functions of the older kind. */
  readonly hiddenLibraries: () => readonly string[];
  readonly files: FileTree;
  readonly parseFile: (file: string) => Program;
  /** Parses code that stands for a file in another language. */
  readonly parseText: (file: string, text: string) => Program;
}

/**
 * Finds functions and types by file name. Names are lower case, without `::` in front.
 * Answers are remembered, also that there is none.
 */
export class LoadableFinder {
  private readonly environmentDirectory: string;
  private readonly modules: () => ReadonlyMap<string, Module>;
  private readonly files: FileTree;
  private readonly parseFile: (file: string) => Program;
  private readonly parseText: (file: string, text: string) => Program;
  private readonly functionFiles: FunctionFiles;
  private readonly functions = new Map<string, FoundFunction>();
  private readonly types = new Map<string, FoundType | undefined>();

  constructor(options: LoadableFinderOptions) {
    this.environmentDirectory = options.environmentDirectory;
    this.modules = options.modules;
    this.files = options.files;
    this.parseFile = options.parseFile;
    this.parseText = options.parseText;
    this.functionFiles = new FunctionFiles(options);
  }

  /** Makes definitions known that were found in a manifest; the first of a name stays. */
  remember(program: Program, module: Module | undefined): void {
    for (const definition of program.definitions) {
      if (definition.kind === 'FunctionDefinition') {
        putIfAbsent(this.functions, definition.name.toLowerCase(), { definition, program, module });
      } else if (definition.kind === 'TypeAlias' || definition.kind === 'TypeDefinition') {
        putIfAbsent(this.types, definition.name.toLowerCase(), { definition, program, module });
      }
    }
  }

  /** A function in the Puppet language; none where the one that `user` gets is in Ruby. */
  findFunction(name: string, user: Module | undefined): FoundFunction | undefined {
    const known = this.functions.get(name);
    if (known !== undefined) return known;
    const file = this.functionFiles.find(name, user);
    if (file === undefined || file.language !== 'puppet') return undefined;
    const { module, path } = file;
    const program = this.parseFile(path);
    const found = { definition: soleFunction(program, name), program, module };
    this.functions.set(name, found);
    return found;
  }

  findType(name: string): FoundType | undefined {
    return findOnce(this.types, name, () => {
      for (const place of placesOf(name, this.environmentDirectory, this.modules())) {
        const program = this.parseType(name, place);
        if (program !== undefined)
          return { definition: soleType(program, name), program, module: place.module };
      }
      return undefined;
    });
  }

  /** A type in Ruby comes before one in the Puppet language, as in the reference. */
  private parseType(name: string, place: LoadablePlace): Program | undefined {
    const ruby = dataTypePath(place, name);
    if (ruby !== undefined && this.files.kind(ruby) === 'file')
      return this.parseText(ruby, dataTypeAlias(this.files.readText(ruby) ?? '', name, ruby));
    const path = typePath(place, name);
    return path === undefined || this.files.kind(path) !== 'file' ? undefined : this.parseFile(path);
  }

  rubyFunctionFile(name: string, user: Module | undefined): RubyFunctionFile | undefined {
    const file = this.functionFiles.find(name, user);
    return file?.language === 'ruby' ? file : undefined;
  }

  /** The file of a function of the older kind: its own, else the one of another that defines it, too. */
  legacyFunctionFile(name: string): string | undefined {
    const own = this.libraryFile(`puppet/parser/functions/${name}.rb`);
    return own ?? this.functionFiles.findFurther(name)?.path;
  }

  /** `file` below any `lib` directory: the environment's, then the modules' in their order. */
  libraryFile(file: string): string | undefined {
    for (const directory of this.directories()) {
      const path = joinPath(directory, 'lib', file);
      if (this.files.kind(path) === 'file') return path;
    }
    return undefined;
  }

  private *directories(): Iterable<string> {
    yield this.environmentDirectory;
    for (const module of this.modules().values()) yield module.directory;
  }
}

function findOnce<T>(
  known: Map<string, T | undefined>,
  name: string,
  find: () => T | undefined,
): T | undefined {
  const answer = known.get(name);
  if (answer !== undefined || known.has(name)) return answer;
  const found = find();
  known.set(name, found);
  return found;
}

function putIfAbsent<T>(known: Map<string, T | undefined>, name: string, value: T): void {
  if (known.get(name) === undefined) known.set(name, value);
}

function soleFunction(program: Program, name: string): FunctionDefinition {
  const file = program.source.file;
  const definition = soleDefinition(program, 'function', name);
  if (definition.kind !== 'FunctionDefinition') {
    throw loadError(
      `The code loaded from ${file} does not define the function '${name}' - no function found.`,
    );
  }
  if (definition.name !== name) {
    throw loadError(
      `The code loaded from ${file} produced function with the wrong name, expected ${name}, actual ${definition.name}`,
    );
  }
  if (!isWholeBody(program, definition)) {
    throw loadError(
      `The code loaded from ${file} contains additional logic - can only contain the function ${name}`,
    );
  }
  return definition;
}

function soleType(program: Program, name: string): TypeAlias | TypeDefinition {
  const file = program.source.file;
  const definition = soleDefinition(program, 'type', name);
  if (definition.kind !== 'TypeAlias' && definition.kind !== 'TypeDefinition') {
    throw loadError(
      `The code loaded from ${file} does not define the type '${name}' - no type alias or type definition found.`,
    );
  }
  if (definition.name.toLowerCase() !== name) {
    throw loadError(
      `The code loaded from ${file} produced type with the wrong name, expected '${name}', actual '${definition.name}'`,
    );
  }
  if (!isWholeBody(program, definition)) {
    throw loadError(
      `The code loaded from ${file} contains additional logic - can only contain the type '${name}'`,
    );
  }
  return definition;
}

function soleDefinition(program: Program, what: 'function' | 'type', name: string): Definition {
  const file = program.source.file;
  const [definition, second] = program.definitions;
  if (definition === undefined) {
    throw loadError(`The code loaded from ${file} does not define the ${what} '${name}' - it is empty.`);
  }
  if (second !== undefined) {
    throw loadError(
      `The code loaded from ${file} must contain only the ${what} '${name}' - it has additional definitions.`,
    );
  }
  return definition;
}

function isWholeBody(program: Program, definition: Definition): boolean {
  const { body } = program;
  if (body === definition) return true;
  return body.kind === 'BlockExpression' && body.statements.length === 1 && body.statements[0] === definition;
}

/** Without a position: the caller's is added where the name was used. */
function loadError(message: string): PuppetError {
  return new PuppetError({ code: 'loader_failure', severity: 'error', message });
}
