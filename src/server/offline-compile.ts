/** Compiles a catalog without a server: for the command line and for CI of control repositories. */

import { resolve } from 'node:path';
import { Environment, ParseCache } from '../language/environment/index.ts';
import {
  type ClassifiedNode,
  compileCatalog,
  type Json,
  type TrustedFacts,
} from '../language/evaluator/index.ts';
import type { LogLevel } from '../language/functions/index.ts';
import type { Logger } from '../platform/log/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import {
  type CatalogFormat,
  DiskFileTree,
  hostTermini,
  renderedCatalog,
} from '../services/compiler/index.ts';
import { EnvironmentRegistry } from '../services/environments/index.ts';
import { languageSettings } from './language-settings.ts';
import { serverFacts } from './server-facts.ts';

export interface OfflineCompile {
  readonly certname: string;
  /** The directory of the environment: a checkout of a control repository, or one below `environmentpath`. */
  readonly directory: string;
  readonly environment: string;
  readonly facts: Readonly<Record<string, Json>>;
  readonly trustedExtensions: Readonly<Record<string, string>>;
  readonly node: ClassifiedNode;
  readonly format: CatalogFormat;
  readonly onMessage: (level: LogLevel, message: string) => void;
}

/**
 * @returns the catalog as an agent would get it
 * @throws PuppetError when the code is at fault
 */
export async function compileOffline(
  compile: OfflineCompile,
  settings: Settings,
  log: Logger,
): Promise<string> {
  const directory = resolve(compile.directory);
  const registry = new EnvironmentRegistry({
    environmentPath: resolve(directory, '..'),
    baseModulePath: settings.baseModulePath,
    defaultManifest: settings.defaultManifest,
    globalHieraConfig: settings.hieraConfig,
    language: languageSettings(settings),
    log,
    now: Date.now,
  });
  const { environment } = compile;
  const loaded = await registry.load({ environment, codeId: null, directory });
  const tree = new DiskFileTree(loaded.config.directory, loaded.directory);
  const { catalog } = compileCatalog({
    certname: compile.certname,
    environment: new Environment(loaded.config, tree, new ParseCache()),
    facts: compile.facts,
    trusted: trustedFacts(compile),
    serverFacts: { ...serverFacts(settings.certname, settings.puppetVersion), environment },
    node: compile.node,
    termini: hostTermini,
    log: compile.onMessage,
  });
  return renderedCatalog(catalog, compile.format);
}

function trustedFacts({ certname, trustedExtensions }: OfflineCompile): TrustedFacts {
  return { authenticated: 'local', certname, extensions: trustedExtensions, external: {} };
}
