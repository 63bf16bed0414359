/** The tags of a resource or catalog, in the order in which they came. */

import { failureAt } from './failure.ts';

const VALID_TAG = /^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_:.-]*$/u;

/** True for what may be a tag (letters, digits and `_:.-`). */
export function isValidTag(tag: string): boolean {
  return VALID_TAG.test(tag);
}

const NONE: readonly string[] = [];
/** With more tags it is quicker to keep an index than to look at each. */
const MOST_WITHOUT_INDEX = 32;

/**
 * A resource has few tags of its own, and those of its container, which all that is in there has in common: that list
 * is shared, not copied. `own`, `shared` and `later` have nothing in common; one after the other they are all tags.
 */
export class TagSet {
  /** What was added before anything was taken over. */
  readonly own: string[] = [];
  /** What was taken over as a whole; never changed. */
  shared: readonly string[] = NONE;
  /** What came after that. */
  readonly later: string[] = [];
  private index: Set<string> | undefined;
  /** All of them, until another comes. */
  private all: readonly string[] | undefined;
  /** What was added last: a container's tags come twice, mostly the same ones. */
  private added: readonly string[] = NONE;

  /** Adds a tag in lower case; a qualified one adds its segments, too. Throws on an invalid one. */
  add(
    tag: string,
    position: { readonly file?: string | undefined; readonly line?: number | undefined } = {},
  ): void {
    const name = tag.toLowerCase();
    if (this.has(name)) return;
    if (!isValidTag(name)) throw failureAt(`Invalid tag '${name}'`, position.file, position.line);
    this.addWithSegments(name);
  }

  /** As `add`, but passes over what cannot be a tag (titles such as `/etc/motd`). */
  addIfValid(tag: string): void {
    if (isValidTag(tag)) this.addWithSegments(tag.toLowerCase());
  }

  addAll(tags: TagSet): void {
    const names = tags.list();
    if (names === this.added) return;
    this.added = names;
    if (this.shared === NONE && !this.own.some((name) => names.includes(name))) {
      this.shared = names;
      this.all = undefined;
      this.index = undefined;
      return;
    }
    for (const name of names) this.put(name);
  }

  has(tag: string): boolean {
    const { later, own, shared } = this;
    if (own.length + shared.length + later.length <= MOST_WITHOUT_INDEX)
      return own.includes(tag) || shared.includes(tag) || later.includes(tag);
    this.index ??= new Set(this.list());
    return this.index.has(tag);
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.list().values();
  }

  /** All tags; a list that stays as it is when others are added. */
  private list(): readonly string[] {
    const { later, own, shared } = this;
    if (own.length + later.length === 0) return shared;
    this.all ??= [...own, ...shared, ...later];
    return this.all;
  }

  private addWithSegments(name: string): void {
    if (this.has(name)) return;
    this.put(name);
    if (name.includes('::')) for (const segment of name.split('::')) this.put(segment);
  }

  private put(name: string): void {
    if (this.has(name)) return;
    (this.shared === NONE ? this.own : this.later).push(name);
    this.index?.add(name);
    this.all = undefined;
  }
}
