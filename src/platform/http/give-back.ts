/**
 * Frees the memory of bytes at once; they must not be used afterwards. The collector sees only a small object, and waits.
 *
 * Short ones may lie in memory that others share: they are left as they are.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
