/**
 * Frees the memory of bytes at once, which nobody may look at any more. A collector sees but a small object, and waits.
 *
 * Short ones may lie in memory that others share: they are left as they are.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
