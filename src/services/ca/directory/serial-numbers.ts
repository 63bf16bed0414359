/** `serial`: the next serial number, in hexadecimal; counted up on disk before a number is used. */

import { writeFileAtomically } from '../../../lib/atomic-file.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { findFile, publicMode } from './ca-directory.ts';

export class SerialNumbers {
  private readonly path: string;
  private next: bigint;

  private constructor(path: string, next: bigint) {
    this.path = path;
    this.next = next;
  }

  /**
   * @param highestKnown - the highest number that was used as far as anybody knows; the next is above it whatever
   *   the file says, so that a file restored from a backup repeats nothing
   * @throws ServiceError `conflict` when the file holds no number
   */
  static async load(path: string, highestKnown: bigint): Promise<SerialNumbers> {
    const text = (await findFile(path))?.content.trim() ?? '1';
    if (!/^[0-9a-fA-F]{1,40}$/.test(text)) {
      throw new ServiceError('conflict', `The file ${path} does not hold a serial number: '${text}'`);
    }
    const next = BigInt(`0x${text}`);
    return new SerialNumbers(path, next > highestKnown ? next : highestKnown + 1n);
  }

  /** Numbers that were never given before, as upper-case hexadecimal. */
  async take(count: number): Promise<readonly string[]> {
    const first = this.next;
    const next = first + BigInt(count);
    await writeFileAtomically(this.path, renderSerial(next), publicMode);
    this.next = next;
    return Array.from({ length: count }, (_, index) => (first + BigInt(index)).toString(16).toUpperCase());
  }
}

/** Four digits at least, as Puppet Server writes it. */
function renderSerial(serial: bigint): string {
  return serial.toString(16).toUpperCase().padStart(4, '0');
}
