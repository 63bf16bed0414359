/**
 * Names of files as strings in which each character is one byte: names on disk are bytes, and need not be text in any
 * encoding.
 */

import { Buffer } from 'node:buffer';

/** The path of an entry, as the system wants it. */
export function pathOf(directory: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, 'latin1')]);
}

/** For messages and logs: as text where it is UTF-8. */
export function readable(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}

/** As git's own formats want names in which anything may be: in quotes, with escapes. Still one character a byte. */
export function quoted(name: string): string {
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `"${escaped}"`;
}

/** The directory that a name is in; '' for the topmost. */
export function parentOf(name: string): string {
  const slash = name.lastIndexOf('/');
  return slash < 0 ? '' : name.slice(0, slash);
}
