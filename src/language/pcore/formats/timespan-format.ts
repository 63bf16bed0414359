/** The format of timespans: `%D-%H:%M:%S.%-N` and such. */

import { fault } from '../fault.ts';

interface Literal {
  readonly kind: 'literal';
  readonly text: string;
}
type Unit = 'D' | 'H' | 'M' | 'S' | 'L' | 'N';
interface Field {
  readonly kind: 'field';
  readonly unit: Unit;
  /** `''` for no padding. */
  readonly pad: '0' | ' ' | '';
  readonly width: number | undefined;
  /** The greatest unit of the format takes everything above it. */
  readonly isTotal: boolean;
}
type Segment = Literal | Field;

const NANOSECONDS: Readonly<Record<Unit, bigint>> = {
  D: 86_400_000_000_000n,
  H: 3_600_000_000_000n,
  M: 60_000_000_000n,
  S: 1_000_000_000n,
  L: 1_000_000n,
  N: 1n,
};
const MODULUS: Readonly<Record<Unit, bigint>> = {
  D: 0n,
  H: 24n,
  M: 60n,
  S: 60n,
  L: 1000n,
  N: 1_000_000_000n,
};
const DEFAULT_WIDTH: Readonly<Record<Unit, number>> = { D: 1, H: 2, M: 2, S: 2, L: 3, N: 9 };
const UNITS: readonly Unit[] = ['N', 'L', 'S', 'M', 'H', 'D'];

export class TimespanFormat {
  private readonly text: string;
  private readonly segments: readonly Segment[];

  private constructor(text: string, segments: readonly Segment[]) {
    this.text = text;
    this.segments = segments;
  }

  /** @throws PuppetError that names the place of the mistake */
  static parse(text: string): TimespanFormat {
    return new TimespanFormat(text, markTotal(parseSegments(text)));
  }

  /** @param keepsZeros - at the end of fractions that are not padded */
  render(nanoseconds: bigint, keepsZeros = false): string {
    const total = nanoseconds < 0n ? -nanoseconds : nanoseconds;
    const parts = this.segments.map((segment) => {
      return segment.kind === 'literal' ? segment.text : renderField(segment, total, keepsZeros);
    });
    return (nanoseconds < 0n ? '-' : '') + parts.join('');
  }

  /** The nanoseconds that `text` stands for. @throws PuppetError when it does not fit */
  read(text: string): bigint {
    const found = new RegExp(`^-?${this.segments.map(fieldPattern).join('')}$`).exec(text);
    if (found === null) throw this.mismatch(text);
    let total = 0n;
    for (const [index, segment] of this.segments.entries()) {
      if (segment.kind === 'literal') continue;
      const group = (found[index + 1] ?? '').trimStart();
      if (!/^[0-9]+$/.test(group)) throw this.mismatch(text);
      total += fieldNanoseconds(segment, group);
    }
    return text.startsWith('-') ? -total : total;
  }

  private mismatch(text: string): Error {
    return fault(`Unable to parse '${text}' using format '${this.text}'`);
  }
}

function parseSegments(text: string): readonly Segment[] {
  const segments: Segment[] = [];
  const append = (character: string): void => {
    const last = segments.at(-1);
    if (last?.kind === 'literal')
      segments[segments.length - 1] = { kind: 'literal', text: last.text + character };
    else segments.push({ kind: 'literal', text: character });
  };
  const characters = Array.from(text);
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    if (character !== '%') {
      append(character);
      continue;
    }
    const { segment, end } = parseField(text, characters, index);
    if (segment === undefined) append('%');
    else segments.push(segment);
    index = end;
  }
  return segments;
}

/** @returns no segment for `%%` */
function parseField(
  text: string,
  characters: readonly string[],
  start: number,
): { readonly segment: Field | undefined; readonly end: number } {
  let pad: Field['pad'] = '0';
  let width: number | undefined;
  for (let index = start + 1; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    const isFirst = index === start + 1;
    if (character === '%') return { segment: undefined, end: index };
    if (isFirst && (character === '-' || character === '_')) pad = character === '-' ? '' : ' ';
    else if (isUnit(character)) {
      return { segment: { kind: 'field', unit: character, pad, width, isTotal: false }, end: index };
    } else if (!/^[0-9]$/.test(character)) throw badSpecifier(text, characters, start, index);
    else if (!isFirst || character !== '0') width = (width ?? 0) * 10 + Number(character);
  }
  throw badSpecifier(text, characters, start, characters.length - 1);
}

function isUnit(character: string): character is Unit {
  return character.length === 1 && 'DHMSLN'.includes(character);
}

function badSpecifier(text: string, characters: readonly string[], start: number, position: number): Error {
  const expression = characters.slice(start, position).join('');
  return fault(`Bad format specifier '${expression}' in '${text}', at position ${position}`);
}

function markTotal(segments: readonly Segment[]): readonly Segment[] {
  const ranks = segments.map((segment) => (segment.kind === 'field' ? UNITS.indexOf(segment.unit) : -1));
  const highest = Math.max(-1, ...ranks);
  const first = ranks.indexOf(highest);
  if (highest === -1) return segments;
  return segments.map((segment, index) => (index === first ? { ...segment, isTotal: true } : segment));
}

function renderField(field: Field, total: bigint, keepsZeros: boolean): string {
  const width = field.width ?? DEFAULT_WIDTH[field.unit];
  if (field.unit === 'N')
    return renderFraction(field, width, nanosecondAmount(field, width, total), keepsZeros);
  const whole = total / NANOSECONDS[field.unit];
  const amount = field.isTotal || field.unit === 'D' ? whole : whole % MODULUS[field.unit];
  if (field.unit === 'L') return renderFraction(field, width, amount, keepsZeros);
  return field.pad === '' ? String(amount) : String(amount).padStart(width, field.pad);
}

function nanosecondAmount(field: Field, width: number, total: bigint): bigint {
  if (width >= 9) return field.isTotal ? total : total % MODULUS.N;
  const scaled = total / 10n ** BigInt(9 - width);
  return field.isTotal ? scaled : scaled % 10n ** BigInt(width);
}

/** Fractions are padded to the right, and lose their trailing zeroes unless padded with zeroes. */
function renderFraction(field: Field, width: number, amount: bigint, keepsZeros: boolean): string {
  const isShortened = !keepsZeros && !field.isTotal && field.pad !== '0';
  const digits = isShortened ? String(amount).replace(/^([0-9]+?)0*$/, '$1') : String(amount);
  return field.pad === '' ? digits : digits.padEnd(width, ' ');
}

function fieldPattern(segment: Segment): string {
  if (segment.kind === 'literal') return `(${segment.text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`;
  const { pad, width, isTotal } = segment;
  if (width === undefined) {
    const limit = DEFAULT_WIDTH[segment.unit];
    if (pad === ' ') return isTotal ? String.raw`\s*([0-9]+)` : String.raw`([0-9\s]{1,${limit}})`;
    return isTotal ? '([0-9]+)' : `([0-9]{1,${limit}})`;
  }
  if (pad === '') return `([0-9]{1,${width}})`;
  return pad === '0' ? `([0-9]{${width}})` : String.raw`([0-9\s]{${width}})`;
}

function fieldNanoseconds(field: Field, digits: string): bigint {
  const amount = BigInt(digits);
  if (field.unit !== 'L' && field.unit !== 'N') return amount * NANOSECONDS[field.unit];
  if (field.isTotal) {
    throw fault(
      'Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher magnitude',
    );
  }
  return digits.length < 9 ? amount * 10n ** BigInt(9 - digits.length) : amount;
}
