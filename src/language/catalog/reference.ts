/** Names of types and resources in the spelling that catalogs use. */

/** `apache::vhost` -> `Apache::Vhost`. A name that begins with a capital is left as it is. */
export function capitalizeSegments(name: string): string {
  const first = name.charCodeAt(0);
  if (first >= 65 && first <= 90) return name;
  if (!name.includes('::')) return capitalize(name);
  return name.split('::').map(capitalize).join('::');
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}

const REFERENCE = /^([^[\]]+)\[(.+)\]$/s;

/** `File[/etc/motd]` -> `['File', '/etc/motd']`; `undefined` when the text is not a reference. */
export function splitReference(text: string): readonly [string, string] | undefined {
  const match = REFERENCE.exec(text);
  return match?.[1] === undefined || match[2] === undefined ? undefined : [match[1], match[2]];
}

/** The type's name as catalogs spell it; `class` and nothing are `Class`. */
export function canonicalTypeName(type: string): string {
  return type === '' ? 'Class' : capitalizeSegments(type.startsWith('::') ? type.slice(2) : type);
}

/** The title as catalogs spell it: names of classes are capitalised; the one of the
 * main manifest has no name and is called `main`. */
export function canonicalTitle(canonicalType: string, title: string): string {
  if (canonicalType !== 'Class') return title;
  return title === '' ? 'main' : capitalizeSegments(title.startsWith('::') ? title.slice(2) : title);
}
