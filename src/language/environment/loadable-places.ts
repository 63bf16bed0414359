/** Where functions and types of a name may lie. */

import { joinPath } from './logical-path.ts';
import type { Module } from './module.ts';

export interface LoadablePlace {
  /** The namespace of the names found here; `undefined` for the environment, which takes any. */
  readonly module: Module | undefined;
  readonly directory: string;
}

/** A qualified name can only be in its module or in the environment, any other one everywhere. */
export function* placesOf(
  name: string,
  environmentDirectory: string,
  modules: ReadonlyMap<string, Module>,
): Iterable<LoadablePlace> {
  const separator = name.indexOf('::');
  const namespace = separator === -1 ? undefined : name.slice(0, separator);
  if (namespace === undefined || namespace === 'environment') {
    yield { module: undefined, directory: environmentDirectory };
  }
  if (namespace === undefined) {
    for (const module of modules.values()) yield { module, directory: module.directory };
    return;
  }
  const module = modules.get(namespace);
  if (module !== undefined) yield { module, directory: module.directory };
}

/** Types that are no more than a module's name are the module's set of types. */
export function typePath(place: LoadablePlace, name: string): string | undefined {
  return name === place.module?.name
    ? joinPath(place.directory, 'types', 'init_typeset.pp')
    : puppetPath(place, 'types', name);
}

/** The module's own name is not part of the path; in the environment directory every segment is. */
export function puppetPath(place: LoadablePlace, directory: string, name: string): string | undefined {
  const segments = name.split('::');
  const relative = place.module === undefined ? segments : segments.slice(1);
  return relative.length === 0 ? undefined : `${joinPath(place.directory, directory, ...relative)}.pp`;
}
