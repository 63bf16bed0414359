/** Names as directories compare them. */

/** Upper and lower case are the same, and so are one blank and several. */
export function isSameName(a: string, b: string): boolean {
  return folded(a) === folded(b);
}

/** Equal for names that a directory takes for the same. */
export function folded(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
