/** Metadata of files in the form in which static catalogs are recorded. */

import { type ExactJson, isList, isObject } from './exact-json.ts';

/** Files by name; times of directories, which differ from disk to disk, left out. */
export function canonicalMetadata(json: ExactJson): ExactJson {
  if (typeof json === 'string') return json.replace(/^\{([cm]time)\}.*/s, '{$1}');
  if (isList(json)) return json.map(canonicalMetadata).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, canonicalMetadata(value)]));
}

function nameOf(metadata: ExactJson): string {
  return isObject(metadata) ? String(metadata['relative_path']) : '';
}
