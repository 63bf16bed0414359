import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';

/** File names as Ruby's `File` and `Pathname` make them. */

/** `File.expand_path(path, base)` */
export function resolvePath(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** `File.dirname` */
export function directoryName(path: string): string {
  const slash = withoutTrailingSlashes(path).lastIndexOf('/');
  if (slash === -1) return '.';
  return slash === 0 ? '/' : path.slice(0, slash);
}

/** `File.basename`, without `suffix`; `.*` stands for any extension. */
export function baseName(path: string, suffix = ''): string {
  const name = withoutTrailingSlashes(path).replace(/^.*\//, '');
  if (suffix === '.*') return name.replace(/(?<=.)\.[^.]*$/, '');
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

/** `File.join` */
export function joinPaths(parts: readonly string[]): string {
  return parts.join('/').replace(/\/{2,}/g, '/');
}
