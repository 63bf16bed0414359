/** Which names a file of a module may define. */

/**
 * What the names of a file's definitions must begin with, lower case; `false` when no definition belongs in a
 * file at that place.
 */
export type FileNamespace = string | false;

/** Where an environment's code is. Paths are absolute and normalised. */
export interface CodeLocations {
  /** The main manifest, a file or directory, if there is one. */
  readonly manifest: string | undefined;
  readonly modulepath: readonly string[];
}

const DEFINITION_FOLDERS: ReadonlySet<string> = new Set(['manifests', 'functions', 'types', 'plans']);

/**
 * The namespace of a file, by its place in the module path; `undefined` when any name will do: for main
 * manifests, and outside the module path.
 */
export function namespaceOfFile(
  file: string,
  { manifest, modulepath }: CodeLocations,
): FileNamespace | undefined {
  if (!file.endsWith('.pp')) return undefined;
  if (manifest !== undefined && file.startsWith(manifest)) return undefined;
  const root = modulepath.find((directory) => file.startsWith(`${directory.replace(/\/+$/, '')}/`));
  if (root === undefined) return undefined;
  const parts = file
    .slice(root.replace(/\/+$/, '').length + 1)
    .toLowerCase()
    .split('/');
  const [module = '', folder = ''] = parts;
  if (!DEFINITION_FOLDERS.has(folder)) return false;
  const names = [module, ...parts.slice(2, -1)];
  const base = parts.at(-1) ?? '';
  if (parts.length !== 3 || base !== 'init.pp') names.push(base.slice(0, -3));
  return names.join('::');
}
