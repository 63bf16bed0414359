/** File names as Ruby's `File` makes them. */

import { giveUp } from '../signals.ts';

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
  const inner = withoutSlashes(path);
  if (inner === '') return path === '' ? '.' : '/';
  const end = inner.lastIndexOf('/');
  return end === -1 ? '.' : withoutSlashes(inner.slice(0, end)) || '/';
}

/** `File.basename`, without `suffix`; `.*` stands for any extension. */
export function baseName(path: string, suffix = ''): string {
  const inner = withoutSlashes(path);
  if (inner === '') return path === '' ? '' : '/';
  const name = inner.slice(inner.lastIndexOf('/') + 1);
  if (suffix === '.*') return /^\.+$/.test(name) ? name : name.replace(/(?<=.)\.[^.]*$/, '');
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

/** `File.join` */
export function joinPaths(parts: readonly string[]): string {
  return parts.length === 0 ? '' : parts.reduce(joined);
}

function joined(left: string, right: string): string {
  if (left.endsWith('//') || right.startsWith('//')) giveUp('such a path');
  return `${left.replace(/\/$/, '')}/${right.replace(/^\//, '')}`;
}

function withoutSlashes(path: string): string {
  if (path.includes('\0')) giveUp('such a path');
  return path.replace(/\/+$/, '');
}
