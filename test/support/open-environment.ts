/** Environments on disk, configured as a server with default settings would. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  Environment,
  type EnvironmentConfig,
  type LanguageSettings,
  ParseCache,
} from '../../src/language/environment/index.ts';
import { ResourceTypeReader } from '../../src/language/ruby/index.ts';
import { prismFiles, RubyParser } from '../../src/lib/ruby-syntax/index.ts';
import { DiskFileTree } from './disk-file-tree.ts';

const sharedCache = new ParseCache();
const resourceTypes = new ResourceTypeReader({ parser: new RubyParser(prismFiles()) });

export interface OpenOptions {
  readonly directory: string;
  readonly name: string;
  readonly settings: LanguageSettings;
  readonly code?: string;
  /** The corpus: its `server/hiera.yaml`, when there is one, is the global layer of Hiera. */
  readonly corpus?: string;
  /** Where parsed trees are kept; one that all share when absent. */
  readonly cache?: ParseCache;
}

export function openEnvironment(options: OpenOptions): Environment {
  const { directory, name, settings, code, corpus, cache = sharedCache } = options;
  const conf = readConf(path.join(directory, 'environment.conf'));
  const base = '/usr/share/puppet/modules';
  const modulepath = (conf.get('modulepath') ?? `modules:${base}`)
    .replaceAll('$basemodulepath', base)
    .split(':')
    .map((entry) => path.resolve(directory, entry));
  const config: EnvironmentConfig = {
    name,
    directory,
    modulepath,
    manifest: path.resolve(directory, conf.get('manifest') ?? 'manifests'),
    ...(code === undefined ? {} : { code }),
    ...globalHiera(corpus),
    configVersion: 1,
    codeId: null,
    settings,
  };
  return new Environment(config, new DiskFileTree(), cache, resourceTypes);
}

function globalHiera(corpus: string | undefined): Pick<EnvironmentConfig, 'globalHieraConfig'> {
  if (corpus === undefined) return {};
  const globalHieraConfig = path.join(corpus, 'server/hiera.yaml');
  return existsSync(globalHieraConfig) ? { globalHieraConfig } : {};
}

function readConf(file: string): ReadonlyMap<string, string> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const entries = text
    .split('\n')
    .map((line) => /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/.exec(line))
    .flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const]));
  return new Map(entries);
}
