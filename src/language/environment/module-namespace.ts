/** Which names a file may define, from where it lies: the check of definition locations needs it. */

import type { EnvironmentConfig } from './environment-settings.ts';
import { isWithin } from './logical-path.ts';

/** A file below a module that may define nothing: it is in none of the directories for definitions. */
export const NO_DEFINITIONS_ALLOWED = Symbol('no definitions allowed');

const DEFINITION_DIRECTORIES: ReadonlySet<string> = new Set(['manifests', 'functions', 'types', 'plans']);

/**
 * The namespace that definitions in `file` must begin with, lower case (`apache::vhost` for
 * `apache/manifests/vhost.pp`); `undefined` when the file is none of a module's manifests, so that any name
 * will do: the main manifest, snippets, files outside the modulepath.
 */
export function namespaceOfFile(
  file: string,
  config: EnvironmentConfig,
): string | typeof NO_DEFINITIONS_ALLOWED | undefined {
  if (!file.endsWith('.pp') || file.startsWith(config.manifest)) return undefined;
  const root = config.modulepath.find((directory) => file !== directory && isWithin(file, directory));
  if (root === undefined) return undefined;
  const parts = file
    .slice(root.length)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const [module, directory, ...rest] = parts;
  if (module === undefined || directory === undefined || !DEFINITION_DIRECTORIES.has(directory)) {
    return NO_DEFINITIONS_ALLOWED;
  }
  if (rest.length === 1 && rest[0] === 'init.pp') return module;
  return [module, ...rest].join('::').slice(0, -'.pp'.length);
}
