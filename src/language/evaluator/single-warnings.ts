/** Warnings that are given once in the life of a process, as the reference does. */

/** The reference gives up remembering, and with it warning, after so many different ones of a kind. */
const mostRemembered = 100;

/** Those that code gives by a key of its own, and those about what Ruby code should not use any more. */
export type SingleWarningKind = 'unique' | 'deprecation';

/** Warnings given so far. One for each thread that compiles; one for each compile when the caller passes none. */
export class SingleWarnings {
  private readonly given: Readonly<Record<SingleWarningKind, Set<string>>> = {
    unique: new Set(),
    deprecation: new Set(),
  };

  /** True the first time that it is asked for a key, while there is room for it. */
  take(key: string, kind: SingleWarningKind = 'unique'): boolean {
    const given = this.given[kind];
    if (given.has(key) || given.size >= mostRemembered) return false;
    given.add(key);
    return true;
  }
}
