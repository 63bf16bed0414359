/** Paths of facts as rules, filters and queries name them. */

export interface FactPath {
  /** `os.release.full` */
  readonly path: string;
  /** How many keys it has below the fact's name. */
  readonly depth: number;
  /** Whether values are there, and not only further keys. */
  readonly isValue: boolean;
}

interface PathRow {
  readonly path: readonly (string | number)[];
}

/** Keys that a dotted path takes without quotes. */
const plainKey = /^[\w-]+$/;

/**
 * The keys within a fact as a tree, one row each. A list is a value: its parts have numbers, not names.
 *
 * @returns sorted; without paths that have keys which no filter can name
 */
export function factPathRows(rows: readonly PathRow[]): readonly FactPath[] {
  const found = new Map<string, FactPath>();
  for (const { path } of rows) {
    const firstIndex = path.findIndex((key) => typeof key === 'number');
    const keys = (firstIndex < 0 ? path : path.slice(0, firstIndex)).map(String);
    if (!keys.every((key) => plainKey.test(key))) continue;
    for (let length = 1; length <= keys.length; length++) {
      const name = keys.slice(0, length).join('.');
      const isValue = length === keys.length || found.get(name)?.isValue === true;
      found.set(name, { path: name, depth: length - 1, isValue });
    }
  }
  return Array.from(found.values()).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** `fact.os.name`, or `trusted.extensions.pp_role`, as filters of nodes begin. */
export function filterField(path: string): string {
  return path.startsWith('trusted.') ? path : `fact.${path}`;
}

/** Whether filters can name it. */
export function isPlainPath(path: string): boolean {
  return path.split('.').every((key) => plainKey.test(key));
}

/** Whether rules of node groups can name it: parts of lists have numbers there, which are no text. */
export function isRulePath(path: string): boolean {
  return isPlainPath(path) && !path.split('.').some((key) => /^\d+$/.test(key));
}
