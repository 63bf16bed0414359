/** Compiles a few lines of code in an environment that is held in memory. */

import type { Catalog } from '../../src/language/catalog/index.ts';
import {
  defaultLanguageSettings,
  Environment,
  type LanguageSettings,
  MemoryFileTree,
  ParseCache,
} from '../../src/language/environment/index.ts';
import { type CompileRequest, compileCatalog } from '../../src/language/evaluator/index.ts';
import type { Value } from '../../src/language/pcore/index.ts';
import { refuseOutside } from './outside.ts';

const DIRECTORY = '/code/environments/production';

export interface SnippetOptions {
  /** Files of modules, text or bytes, by path below `modules/`. */
  readonly modules?: Readonly<Record<string, string | Uint8Array>>;
  /** Files of the environment itself. */
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: Partial<LanguageSettings>;
  readonly request?: Partial<CompileRequest>;
}

export interface CompiledSnippet {
  readonly catalog: Catalog;
  readonly value: Value;
  readonly logs: readonly string[];
}

/** @throws CompileError as a server would give it to the agent */
export function compileSnippet(code: string, options: SnippetOptions = {}): CompiledSnippet {
  const logs: string[] = [];
  const request = snippetRequest(code, options);
  const { catalog, lastValue } = compileCatalog({
    log: (level, message) => logs.push(`${level}: ${message}`),
    ...request,
  });
  return { catalog, value: lastValue, logs };
}

/** The request that `compileSnippet` compiles; messages are for the caller. */
export function snippetRequest(
  code: string,
  options: SnippetOptions = {},
): Omit<CompileRequest, 'log'> & Partial<Pick<CompileRequest, 'log'>> {
  const own = Object.entries(options.files ?? {}).map(([path, text]) => [`${DIRECTORY}/${path}`, text]);
  const files = Object.entries(options.modules ?? {}).map(([path, content]) => [
    `${DIRECTORY}/modules/${path}`,
    content,
  ]);
  const environment = new Environment(
    {
      name: 'production',
      directory: DIRECTORY,
      modulepath: [`${DIRECTORY}/modules`],
      manifest: `${DIRECTORY}/manifests`,
      code,
      configVersion: 1,
      codeId: null,
      settings: {
        ...defaultLanguageSettings,
        ...options.settings,
      },
    },
    new MemoryFileTree(Object.fromEntries([...files, ...own])),
    new ParseCache(),
  );
  return {
    certname: 'a.example.net',
    environment,
    facts: { kernel: 'Linux' },
    trusted: { authenticated: 'remote', certname: 'a.example.net', extensions: {}, external: {} },
    serverFacts: {},
    node: { classes: {}, parameters: {} },
    termini: { outside: refuseOutside },
    ...options.request,
  };
}

/** `Type[title]` of all resources but those that every catalog has. */
export function references(catalog: Catalog): readonly string[] {
  const always = new Set(['Stage[main]', 'Class[Settings]', 'Class[main]']);
  return catalog.resources.map(({ reference }) => reference).filter((reference) => !always.has(reference));
}
