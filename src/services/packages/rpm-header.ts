/** What an RPM package says of itself: two headers before its files, each a table of tagged values. */

const leadBytes = 96;
const headerMagic = 0x8eade801;
const entryBytes = 16;

/** Tag numbers of the fields that a repository needs; rpmtag.h. */
const tags = {
  name: 1000,
  version: 1001,
  release: 1002,
  epoch: 1003,
  summary: 1004,
  description: 1005,
  buildTime: 1006,
  buildHost: 1007,
  size: 1009,
  vendor: 1011,
  license: 1014,
  packager: 1015,
  group: 1016,
  url: 1020,
  arch: 1022,
  fileModes: 1030,
  sourceRpm: 1044,
  provideName: 1047,
  requireFlags: 1048,
  requireName: 1049,
  requireVersion: 1050,
  conflictFlags: 1053,
  conflictName: 1054,
  conflictVersion: 1055,
  obsoleteName: 1090,
  provideFlags: 1112,
  provideVersion: 1113,
  obsoleteFlags: 1114,
  obsoleteVersion: 1115,
  dirIndexes: 1116,
  baseNames: 1117,
  dirNames: 1118,
} as const;

export type RpmTag = keyof typeof tags;

export class RpmHeader {
  /** Where the header is in the file, as repositories tell. */
  readonly begin: number;
  readonly end: number;
  /** Of the files inside, as far as the signature knows. */
  readonly archiveBytes: number;
  private readonly values: ReadonlyMap<number, readonly (string | number)[]>;

  /** @throws Error saying what is wrong with the package */
  constructor(bytes: Buffer) {
    if (bytes.length < leadBytes || bytes.readUInt32BE(0) !== 0xedabeedb)
      throw new Error('it is no RPM package');
    const signature = readTable(bytes, leadBytes);
    // The signature is filled up to a multiple of eight.
    this.begin = Math.ceil(signature.end / 8) * 8;
    const header = readTable(bytes, this.begin);
    this.end = header.end;
    this.values = header.values;
    this.archiveBytes = Number(signature.values.get(1007)?.[0] ?? 0);
    if (this.text('name') === '') throw new Error('it has no name');
  }

  text(tag: RpmTag): string {
    return String(this.values.get(tags[tag])?.[0] ?? '');
  }

  number(tag: RpmTag): number {
    return Number(this.values.get(tags[tag])?.[0] ?? 0);
  }

  texts(tag: RpmTag): readonly string[] {
    return (this.values.get(tags[tag]) ?? []).map(String);
  }

  numbers(tag: RpmTag): readonly number[] {
    return (this.values.get(tags[tag]) ?? []).map(Number);
  }
}

interface Table {
  readonly values: ReadonlyMap<number, readonly (string | number)[]>;
  readonly end: number;
}

function readTable(bytes: Buffer, begin: number): Table {
  if (begin + entryBytes > bytes.length || bytes.readUInt32BE(begin) !== headerMagic)
    throw new Error('it has no header');
  const count = bytes.readUInt32BE(begin + 8);
  const data = begin + entryBytes + count * entryBytes;
  const end = data + bytes.readUInt32BE(begin + 12);
  if (end > bytes.length) throw new Error('it ends before it is complete');
  const values = new Map<number, readonly (string | number)[]>();
  for (let index = 0; index < count; index += 1) {
    const entry = begin + entryBytes + index * entryBytes;
    const [tag, type, offset, length] = [0, 4, 8, 12].map((at) => bytes.readUInt32BE(entry + at));
    if (tag === undefined || type === undefined || offset === undefined || length === undefined) continue;
    values.set(tag, readValues(bytes.subarray(data, end), { type, offset, length }));
  }
  return { values, end };
}

function readValues(
  data: Buffer,
  { type, offset, length }: { readonly type: number; readonly offset: number; readonly length: number },
): readonly (string | number)[] {
  const widths: Readonly<Record<number, number>> = { 2: 1, 3: 2, 4: 4 };
  const width = widths[type];
  if (width !== undefined) {
    if (offset + length * width > data.length) throw new Error('its header is damaged');
    return Array.from({ length }, (_, index) => data.readUIntBE(offset + index * width, width));
  }
  // A text, several texts, or one that could be translated.
  if (type !== 6 && type !== 8 && type !== 9) return [];
  const texts: string[] = [];
  for (let at = offset; texts.length < length; ) {
    const end = data.indexOf(0, at);
    if (end < 0) throw new Error('its header is damaged');
    texts.push(data.toString('utf8', at, end));
    at = end + 1;
  }
  return texts;
}
