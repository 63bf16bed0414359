/** Functions and types: where they may lie, and what their files must look like. */

import {
  type Definition,
  type FunctionDefinition,
  type Program,
  PuppetError,
  type TypeAlias,
  type TypeDefinition,
} from '../syntax/index.ts';
import type { Found } from './definition-table.ts';
import type { FileTree } from './file-tree.ts';
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

type FoundFunction = Found<FunctionDefinition>;
type FoundType = Found<TypeAlias | TypeDefinition>;

const RUBY_FUNCTIONS = [
  { api: '4.x', directory: 'lib/puppet/functions' },
  { api: '3.x', directory: 'lib/puppet/parser/functions' },
] as const;

interface Place {
  /** The namespace of the names found here; `undefined` for the environment, which takes any. */
  readonly module: Module | undefined;
  readonly directory: string;
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
  private readonly functions = new Map<string, FoundFunction | undefined>();
  private readonly types = new Map<string, FoundType | undefined>();
  private readonly rubyFunctions = new Map<string, RubyFunctionFile | undefined>();

  constructor(
    environmentDirectory: string,
    modules: () => ReadonlyMap<string, Module>,
    files: FileTree,
    parseFile: (file: string) => Program,
  ) {
    this.environmentDirectory = environmentDirectory;
    this.modules = modules;
    this.files = files;
    this.parseFile = parseFile;
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

  /** A function in the Puppet language; none where a Ruby function of the 4.x kind takes precedence. */
  findFunction(name: string): FoundFunction | undefined {
    return findOnce(this.functions, name, () => {
      for (const place of this.placesOf(name)) {
        if (this.files.kind(rubyPath(place, RUBY_FUNCTIONS[0].directory, name)) === 'file') return undefined;
        const path = puppetPath(place, 'functions', name);
        if (path === undefined || this.files.kind(path) !== 'file') continue;
        const program = this.parseFile(path);
        return { definition: soleFunction(program, name), program, module: place.module };
      }
      return undefined;
    });
  }

  findType(name: string): FoundType | undefined {
    return findOnce(this.types, name, () => {
      for (const place of this.placesOf(name)) {
        const path = puppetPath(place, 'types', name);
        if (path === undefined || this.files.kind(path) !== 'file') continue;
        const program = this.parseFile(path);
        return { definition: soleType(program, name), program, module: place.module };
      }
      return undefined;
    });
  }

  rubyFunctionFile(name: string): RubyFunctionFile | undefined {
    return findOnce(this.rubyFunctions, name, () => {
      for (const place of this.placesOf(name)) {
        for (const { api, directory } of RUBY_FUNCTIONS) {
          const path = rubyPath(place, directory, name);
          if (this.files.kind(path) === 'file') return { path, api, module: place.module };
        }
      }
      return undefined;
    });
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

  /** A qualified name can only be in its module or in the environment, any other one everywhere. */
  private *placesOf(name: string): Iterable<Place> {
    const separator = name.indexOf('::');
    const namespace = separator === -1 ? undefined : name.slice(0, separator);
    if (namespace === undefined || namespace === 'environment') {
      yield { module: undefined, directory: this.environmentDirectory };
    }
    if (namespace === undefined) {
      for (const module of this.modules().values()) yield { module, directory: module.directory };
      return;
    }
    const module = this.modules().get(namespace);
    if (module !== undefined) yield { module, directory: module.directory };
  }
}

/** The module's own name is not part of the path; in the environment directory every segment is. */
function puppetPath(place: Place, directory: string, name: string): string | undefined {
  const segments = name.split('::');
  const relative = place.module === undefined ? segments : segments.slice(1);
  return relative.length === 0 ? undefined : `${joinPath(place.directory, directory, ...relative)}.pp`;
}

function rubyPath(place: Place, directory: string, name: string): string {
  return `${joinPath(place.directory, directory, ...name.split('::'))}.rb`;
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
