/** A caller of functions without an evaluator: calls built-in functions, records what is logged. */

import {
  defaultLanguageSettings,
  Environment,
  MemoryFileTree,
  ParseCache,
} from '../../src/language/environment/index.ts';
import {
  BreakSignal,
  builtinFunctions,
  type CallContext,
  type CatalogView,
  type Lambda,
  prepareFunction,
  type ScopeView,
} from '../../src/language/functions/index.ts';
import {
  CallableType,
  fault,
  IntegerType,
  parseType,
  TupleType,
  UnitType,
  type Value,
} from '../../src/language/pcore/index.ts';
import { refuseOutside } from './outside.ts';

export interface RecordingContext extends CallContext {
  /** `level: message`, in order; warnings that are given once are `once: message`. */
  readonly logged: readonly string[];
}

export interface RecordingOptions {
  /** Text by absolute path; modules lie below `/code/modules`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Variables without `$`, top-scope ones with `::`. */
  readonly variables?: Readonly<Record<string, Value>>;
}

export function recordingContext(options: RecordingOptions = {}): RecordingContext {
  const logged: string[] = [];
  const variables = new Map(Object.entries(options.variables ?? {}));
  const context: RecordingContext = {
    logged,
    environment: memoryEnvironment(options.files ?? {}),
    scope: scopeOver(variables),
    catalog: emptyCatalog,
    position: { file: '/code/manifests/site.pp', line: 1, column: 1 },
    certname: 'test.example.com',
    callFunction: (name, args, block) => {
      const definition = builtinFunctions.get(name);
      if (definition === undefined) throw fault(`Unknown function: '${name}'.`);
      return prepareFunction(definition).call(context, args, block);
    },
    isFunctionKnown: (name) => builtinFunctions.has(name),
    resolveType: (text) => parseType(text, { findAlias: () => undefined }),
    log: (level, message) => {
      logged.push(`${level}: ${message}`);
    },
    warnOnce: (_key, message) => {
      logged.push(`once: ${message}`);
    },
    lookup: ({ names }) => refuse(`lookup of ${names.join()}`),
    evaluateEpp: ({ file }) => refuse(`template ${file}`),
    evaluateErb: ({ file }) => refuse(`template ${file}`),
    outside: refuseOutside,
    controlFlow: (kind) => {
      if (kind === 'break') throw new BreakSignal(context.position);
      return refuse(kind);
    },
  };
  return context;
}

/** A lambda with so many parameters, all of them required. */
export function lambda(count: number, call: (...args: Value[]) => Value): Lambda {
  const size = new IntegerType(count, count);
  return {
    call: (args) => call(...args),
    minParameters: count,
    maxParameters: count,
    parameterNames: Array.from({ length: count }, (_, index) => `p${index}`),
    type: new CallableType(new TupleType([UnitType.DEFAULT], size)),
  };
}

function memoryEnvironment(files: Readonly<Record<string, string>>): Environment {
  return new Environment(
    {
      name: 'production',
      directory: '/code',
      modulepath: ['/code/modules'],
      manifest: '/code/manifests',
      configVersion: 1,
      codeId: null,
      settings: defaultLanguageSettings,
    },
    new MemoryFileTree(files),
    new ParseCache(),
  );
}

function scopeOver(variables: ReadonlyMap<string, Value>): ScopeView {
  return {
    find: (name) => variables.get(name),
    has: (name) => variables.has(name),
    visibleNames: () => variables.keys(),
    resource: undefined,
    moduleName: undefined,
    tags: () => [],
  };
}

const emptyCatalog: CatalogView = {
  declareClasses: () => refuse('classes'),
  createResources: () => refuse('create_resources()'),
  realize: () => refuse('realize()'),
  hasResource: () => false,
  resourceParameter: () => undefined,
  addTags: () => refuse('tag()'),
  isClassDeclared: () => false,
  isTypeKnown: () => false,
  isClassKnown: () => false,
};

function refuse(what: string): never {
  throw fault(`${what}: not in this context`);
}
