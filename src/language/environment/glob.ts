/** Ruby's `Dir.glob` over a file tree: `*`, `?`, `**` and sets in brackets, alternatives in braces. */

import type { FileTree, FileTreeEntry } from './file-tree.ts';

/**
 * The files (or the directories) that match an absolute pattern. Names that begin with a dot are only matched
 * by a pattern that does. Alternatives in braces come in their order, everything else sorted by name.
 */
export function globFiles(
  files: FileTree,
  pattern: string,
  kind: 'file' | 'directory' = 'file',
): readonly string[] {
  const search: Search = { files, kind, found: new Set() };
  for (const plain of expandBraces(pattern)) walk(search, '', plain.split('/').slice(1));
  return [...search.found];
}

interface Search {
  readonly files: FileTree;
  readonly kind: 'file' | 'directory';
  readonly found: Set<string>;
}

function walk(search: Search, directory: string, segments: readonly string[]): void {
  const [segment, ...rest] = segments;
  if (segment === undefined) return;
  if (segment === '**' && rest.length > 0) {
    walkDeep(search, directory, segments);
    return;
  }
  if (!hasMagic(segment)) {
    descend(search, `${directory}/${segment}`, rest);
    return;
  }
  const matcher = segmentMatcher(segment);
  for (const { name } of entriesOf(search, directory)) {
    if (matcher.test(name)) descend(search, `${directory}/${name}`, rest);
  }
}

/** Entry by entry: what matches the rest of the pattern here, then what does further below. */
function walkDeep(search: Search, directory: string, segments: readonly string[]): void {
  const [next = '', ...rest] = segments.slice(1);
  if (next === '**' || (next === '' && rest.length > 0))
    return walkDeep(search, directory, ['**', ...segments.slice(2)]);
  const matcher = segmentMatcher(next);
  for (const { name, kind } of entriesOf(search, directory)) {
    const path = `${directory}/${name}`;
    if (matcher.test(name)) descend(search, path, rest);
    if (kind === 'directory' && !name.startsWith('.')) walkDeep(search, path, segments);
  }
}

function descend(search: Search, path: string, rest: readonly string[]): void {
  if (rest.length > 0) walk(search, path, rest);
  else if (search.files.kind(path) === search.kind) search.found.add(path);
}

function entriesOf({ files }: Search, directory: string): readonly FileTreeEntry[] {
  return files.list(directory === '' ? '/' : directory) ?? [];
}

function hasMagic(segment: string): boolean {
  return /[*?[\\]/.test(segment);
}

function segmentMatcher(segment: string): RegExp {
  let source = segment.startsWith('.') ? '' : '(?!\\.)';
  for (let at = 0; at < segment.length; at++) {
    const character = segment.charAt(at);
    if (character === '*') source += '.*';
    else if (character === '?') source += '.';
    else if (character === '\\') source += escapeForRegExp(segment.charAt(++at));
    else if (character === '[') {
      const end = segment.indexOf(']', at + 2);
      if (end === -1) return /(?!)/; // an unclosed set matches nothing
      source += characterSet(segment.slice(at + 1, end));
      at = end;
    } else source += escapeForRegExp(character);
  }
  return new RegExp(`^${source}$`, 'su');
}

function characterSet(inner: string): string {
  const isNegated = inner.startsWith('^') || inner.startsWith('!');
  const members = (isNegated ? inner.slice(1) : inner).replace(/[\\\][^]/g, '\\$&');
  return `[${isNegated ? '^' : ''}${members}]`;
}

function escapeForRegExp(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

function expandBraces(pattern: string): readonly string[] {
  const open = pattern.indexOf('{');
  if (open === -1) return [pattern];
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '{') depth++;
    else if (character === ',' && depth === 1) {
      parts.push(pattern.slice(start, at));
      start = at + 1;
    } else if (character === '}' && --depth === 0) {
      parts.push(pattern.slice(start, at));
      const [before, after] = [pattern.slice(0, open), pattern.slice(at + 1)];
      return parts.flatMap((part) => expandBraces(before + part + after));
    }
  }
  return [pattern];
}
