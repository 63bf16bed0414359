/** The files that a `hiera.yaml` names for its backends: keys, certificates, configuration. */

import { normalize } from 'node:path';
import {
  decodeYaml,
  isYamlList,
  isYamlMap,
  parseYaml,
  YamlError,
  type YamlValue,
} from '../../lib/yaml/index.ts';

export interface NamedPath {
  readonly path: string;
  /** The option: `pkcs7_private_key`. */
  readonly option: string;
}

/**
 * The absolute paths without expressions among the options of all entries. Addresses of services may look like that as well: it is
 * for the caller to see which are there.
 *
 * @returns none for a text that is no `hiera.yaml`: compiles report that
 */
export function pathsIn(text: Buffer): readonly NamedPath[] {
  let config: YamlValue;
  try {
    config = parseYaml(decodeYaml(text));
  } catch (error) {
    if (error instanceof YamlError) return [];
    throw error;
  }
  const hierarchy = member(config, 'hierarchy');
  const entries = [
    member(config, 'defaults'),
    ...(hierarchy !== undefined && isYamlList(hierarchy) ? hierarchy : []),
  ];
  const found = new Map<string, NamedPath>();
  const seen = new Set<unknown>();
  const look = (option: string, value: YamlValue | undefined): void => {
    if (typeof value === 'string') {
      const path = pathOf(value);
      if (path !== undefined && !found.has(path)) found.set(path, { path, option });
    } else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      // Aliases make a small text a large tree.
      seen.add(value);
      if (isYamlList(value)) for (const item of value) look(option, item);
      if (isYamlMap(value))
        for (const [key, item] of value) look(typeof key === 'string' ? key : option, item);
    }
  };
  for (const entry of entries) look('', member(entry, 'options'));
  return [...found.values()];
}

function pathOf(text: string): string | undefined {
  if (!text.startsWith('/') || text.includes('%{') || text.includes('\0')) return undefined;
  const path = normalize(text).replace(/\/$/, '');
  return path === '' ? undefined : path;
}

function member(value: YamlValue | undefined, name: string): YamlValue | undefined {
  return value !== undefined && isYamlMap(value) ? value.get(name) : undefined;
}
