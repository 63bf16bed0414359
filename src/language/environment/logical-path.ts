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

/**
 * `path` seen from `directory`, as Ruby's `Pathname#+`: only the dots at its start and at the end of `directory` are resolved,
 * everything else stays as it is written, doubled slashes included.
 */
export function plusPath(directory: string, path: string): string {
  if (path.startsWith('/')) return path;
  let base = directory;
  let rest = path;
  for (;;) {
    rest = rest.replace(/^(?:\.(?:\/+|$))+/, '');
    base = base.replace(/(?<!^)\/+$/, '');
    const last = baseName(base);
    if (base === '/') return base + rest.replace(/^(?:\.\.?(?:\/+|$))+/, '');
    if (last === '.') base = base.slice(0, -1);
    else if (last !== '..' && /^\.\.(\/|$)/.test(rest)) {
      base = base.slice(0, -last.length);
      rest = rest.replace(/^\.\.\/*/, '');
    } else return rest === '' ? base : `${base}/${rest}`;
  }
}

/** Whether `path` lies in `directory` (or is it). */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}
