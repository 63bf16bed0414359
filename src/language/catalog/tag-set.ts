/** The tags of a resource or catalog, in the order in which they came. */

import { failureAt } from './failure.ts';

const VALID_TAG = /^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_:.-]*$/u;

/** True for what may be a tag (letters, digits and `_:.-`). */
export function isValidTag(tag: string): boolean {
  return VALID_TAG.test(tag);
}

export class TagSet {
  private readonly names = new Set<string>();
  /** What was added last, and how much that was: a container's tags come twice, mostly the same ones. */
  private added: TagSet | undefined;
  private addedSize = 0;

  /** Adds a tag in lower case; a qualified one adds its segments, too. Throws on an invalid one. */
  add(
    tag: string,
    position: { readonly file?: string | undefined; readonly line?: number | undefined } = {},
  ): void {
    const name = tag.toLowerCase();
    if (this.names.has(name)) return;
    if (!isValidTag(name)) throw failureAt(`Invalid tag '${name}'`, position.file, position.line);
    this.addWithSegments(name);
  }

  /** As `add`, but passes over what cannot be a tag (titles such as `/etc/motd`). */
  addIfValid(tag: string): void {
    if (isValidTag(tag)) this.addWithSegments(tag.toLowerCase());
  }

  addAll(tags: TagSet): void {
    if (this.added === tags && this.addedSize === tags.names.size) return;
    for (const name of tags.names) this.names.add(name);
    this.added = tags;
    this.addedSize = tags.names.size;
  }

  has(tag: string): boolean {
    return this.names.has(tag);
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.names.values();
  }

  private addWithSegments(name: string): void {
    if (this.names.has(name)) return;
    this.names.add(name);
    if (name.includes('::')) for (const segment of name.split('::')) this.names.add(segment);
  }
}
