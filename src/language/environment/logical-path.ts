/** Logical paths: absolute, with `/`, never touching the disk. */

/** Joins parts with single slashes, as Ruby's `File.join`. */
export function joinPath(...parts: readonly string[]): string {
  return parts.join('/').replace(/\/{2,}/g, '/');
}

/** The path without its last segment; `/` for a top-level path. */
export function directoryOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end <= 0 ? '/' : path.slice(0, end);
}

/** The last segment. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Resolves `path` against `base`, removing `.`, `..` and doubled slashes, as Ruby's `File.expand_path`. */
export function expandPath(path: string, base: string): string {
  const segments: string[] = [];
  for (const segment of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** Whether `path` lies in `directory` (or is it). */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}
