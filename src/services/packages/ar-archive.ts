/** The archive that a Debian package is. */

const magic = '!<arch>\n';
const headerBytes = 60;

export interface ArMember {
  readonly name: string;
  readonly content: Buffer;
}

/** @throws Error when it is no archive of this kind, or ends early */
export function readArArchive(bytes: Buffer): readonly ArMember[] {
  if (bytes.toString('latin1', 0, magic.length) !== magic) throw new Error('it is no Debian package');
  const members: ArMember[] = [];
  for (let at = magic.length; at + headerBytes <= bytes.length; ) {
    const header = bytes.toString('latin1', at, at + headerBytes);
    const size = Number(header.slice(48, 58));
    const begin = at + headerBytes;
    if (!Number.isSafeInteger(size) || size < 0 || begin + size > bytes.length)
      throw new Error('it ends before it is complete');
    const name = header.slice(0, 16).trimEnd().replace(/\/$/, '');
    members.push({ name, content: bytes.subarray(begin, begin + size) });
    // Members begin at even places.
    at = begin + size + (size % 2);
  }
  return members;
}
