/** Warnings that are given once in the life of a process, as the reference does. */

/** The reference gives up remembering, and with it warning, after so many different ones. */
const mostRemembered = 100;

/** What has been warned of. One for each thread that compiles; one for each compile where nobody hands one in. */
export class SingleWarnings {
  private readonly given = new Set<string>();

  /** True the first time that it is asked for a key, while there is room for it. */
  take(key: string): boolean {
    if (this.given.has(key) || this.given.size >= mostRemembered) return false;
    this.given.add(key);
    return true;
  }
}
