/** As much of DER as encrypted messages need. */

export interface DerElement {
  /** The identifier byte: class, form and number. */
  readonly tag: number;
  readonly content: Uint8Array;
}

/** The elements that follow each other in `bytes`. @throws Error when they do not */
export function readElements(bytes: Uint8Array): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const { length, start } = readLength(bytes, at + 1);
    if (start + length > bytes.length) throw new Error('truncated DER');
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

/** Follows a path of positions through constructed elements. @throws Error when there is nothing */
export function elementAt(bytes: Uint8Array, ...path: readonly number[]): DerElement {
  let found: DerElement | undefined;
  let content = bytes;
  for (const index of path) {
    found = readElements(content)[index];
    if (found === undefined) throw new Error('unexpected DER structure');
    content = found.content;
  }
  if (found === undefined) throw new Error('unexpected DER structure');
  return found;
}

function readLength(bytes: Uint8Array, at: number): { readonly length: number; readonly start: number } {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { length: first, start: at + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 4) throw new Error('unsupported DER length');
  let length = 0;
  for (let index = 1; index <= count; index++) length = length * 256 + (bytes[at + index] ?? 0);
  return { length, start: at + 1 + count };
}
