import { fault } from '../fault.ts';
import { OpaqueValue } from '../value.ts';
import { parsePrerelease, SemVerValue } from './semver-value.ts';
import {
  ALL,
  admits,
  atLeast,
  atMost,
  contains,
  exactly,
  greaterThan,
  intersect,
  intervalKey,
  intervalText,
  lessThan,
  NOTHING,
  unite,
  type VersionInterval,
} from './version-interval.ts';

const XR = String.raw`(?:x|X|\*|0|[1-9][0-9]*)`;
const PART = '[0-9A-Za-z-]+';
const PARTS = String.raw`${PART}(?:\.${PART})*`;
const PARTIAL = String.raw`${XR}(?:\.${XR}(?:\.${XR}(?:-${PARTS})?(?:\+${PARTS})?)?)?`;
const HYPHEN = new RegExp(String.raw`^(${PARTIAL})\s+-\s+(${PARTIAL})$`);
const SIMPLE = new RegExp(`^(<=|>=|~>|~=|[<>=~^])?(${PARTIAL})$`);
const PIECES = new RegExp(String.raw`^(${XR})(?:\.(${XR})(?:\.(${XR})(?:-(${PARTS}))?(?:\+(${PARTS}))?)?)?$`);

/** A range of semantic versions, in the notation of npm. Prints as it was written. */
export class SemVerRangeValue extends OpaqueValue {
  readonly intervals: readonly VersionInterval[];
  private readonly text: string;

  private constructor(intervals: readonly VersionInterval[], text: string) {
    super();
    this.intervals = intervals.length === 0 ? [NOTHING] : mergeIntervals(intervals);
    this.text = text;
  }

  /** @throws PuppetError when the notation is wrong */
  static parse(text: string): SemVerRangeValue {
    const compact = text.replace(/([><=~^])(?:\s+|\s*v)/g, '$1');
    const alternatives = compact.split(/\s*\|\|\s*/);
    while (alternatives.at(-1) === '') alternatives.pop();
    if (alternatives.length === 0) return new SemVerRangeValue([ALL], '*');
    const intervals = alternatives.map((alternative) => parseAlternative(alternative, text));
    return new SemVerRangeValue(
      intervals.filter((interval) => interval !== undefined),
      text,
    );
  }

  static between(min: SemVerValue, max: SemVerValue, excludesEnd = false): SemVerRangeValue {
    const interval = intersect(atLeast(min), excludesEnd ? lessThan(max) : atMost(max));
    // The reference prints the two ends the wrong way round.
    const text = excludesEnd
      ? `>=${max.toString()} <${min.toString()}`
      : `${max.toString()} - ${min.toString()}`;
    return new SemVerRangeValue(interval === undefined ? [] : [interval], text);
  }

  includes(version: SemVerValue): boolean {
    return this.intervals.some((interval) => admits(interval, version));
  }

  overlaps(other: SemVerRangeValue): boolean {
    return this.intervals.some((mine) =>
      other.intervals.some((theirs) => intersect(mine, theirs) !== undefined),
    );
  }

  /** Every version of this range is in `other`; both must be connected. */
  isCoveredBy(other: SemVerRangeValue): boolean {
    const [mine, theirs] = [this.single, other.single];
    if (mine === undefined || theirs === undefined) return false;
    if (theirs.begin.compare(mine.begin) > 0) return false;
    const ends = theirs.end.compare(mine.end);
    return ends > 0 || (ends === 0 && (!theirs.excludesEnd || mine.excludesEnd));
  }

  /** The union of two connected ranges when it is connected, too. */
  merge(other: SemVerRangeValue): SemVerRangeValue | undefined {
    const [mine, theirs] = [this.single, other.single];
    if (mine === undefined || theirs === undefined) return undefined;
    const touches = contains(mine, theirs.begin) || contains(theirs, mine.begin);
    const union = touches || mine.end.compare(theirs.begin) === 0 || theirs.end.compare(mine.begin) === 0;
    const merged = union ? unite(mine, theirs) : undefined;
    return merged && SemVerRangeValue.between(merged.begin, merged.end, merged.excludesEnd);
  }

  private get single(): VersionInterval | undefined {
    return this.intervals.length === 1 ? this.intervals[0] : undefined;
  }

  override toString(): string {
    return this.text;
  }
  /** In its simplest notation. */
  inspect(): string {
    return this.intervals.map(intervalText).join(' || ');
  }
  equalityKey(): string {
    return `SemVerRange:${this.intervals.map(intervalKey).join(' || ')}`;
  }
}

function mergeIntervals(intervals: readonly VersionInterval[]): readonly VersionInterval[] {
  const result: VersionInterval[] = [];
  for (const interval of intervals) {
    let current = interval;
    for (let index = result.length - 1; index >= 0; index -= 1) {
      const known = result[index];
      const merged = known === undefined ? undefined : unite(known, current);
      if (merged === undefined) continue;
      current = merged;
      result.splice(index, 1);
    }
    result.push(current);
  }
  return result;
}

function parseAlternative(text: string, whole: string): VersionInterval | undefined {
  const hyphen = HYPHEN.exec(text);
  if (hyphen !== null) {
    return intersect(
      atLeast(parsePieces(hyphen[1] ?? '').version),
      atMost(parsePieces(hyphen[2] ?? '').version),
    );
  }
  const simples = text.split(/\s+/).map((simple) => {
    const found = SIMPLE.exec(simple);
    if (found === null) throw fault(`Unparsable version range: "${whole}"`);
    return parseSimple(found[1], found[2] ?? '');
  });
  return simples.reduce<VersionInterval | undefined>(
    (memo, interval) => (memo === undefined ? undefined : intersect(memo, interval)),
    ALL,
  );
}

interface Pieces {
  readonly major: number | undefined;
  readonly minor: number | undefined;
  readonly patch: number | undefined;
  /** With what is missing taken for 0. */
  readonly version: SemVerValue;
}

function parsePieces(text: string): Pieces {
  const found = PIECES.exec(text);
  if (found === null) throw fault(`Unparsable version range: "${text}"`);
  const [major, minor, patch] = [digit(found[1]), digit(found[2]), digit(found[3])];
  const prerelease = parsePrerelease(found[4]);
  const build = found[5]?.split('.');
  const version = new SemVerValue([major ?? 0, minor ?? 0, patch ?? 0], { prerelease, build });
  return { major, minor, patch, version };
}

function digit(text: string | undefined): number | undefined {
  return text === undefined || /^[xX*]$/.test(text) ? undefined : Number(text);
}

function parseSimple(operator: string | undefined, operand: string): VersionInterval {
  const pieces = parsePieces(operand);
  if (operator === '>=') return atLeast(pieces.version);
  if (operator === '<') return lessThan(pieces.version);
  if (operator === '>') return parseGreater(pieces);
  if (operator === '<=') return parseAtMost(pieces);
  if (operator === '^' && pieces.major !== 0) return allowMinorUpdates(pieces);
  return allowPatchUpdates(pieces, operator !== undefined && operator !== '=');
}

function release(major: number, minor = 0): SemVerValue {
  return new SemVerValue([major, minor, 0]);
}
function span(from: SemVerValue, to: SemVerValue): VersionInterval {
  return { ...atLeast(from), end: to, excludesEnd: true, named: [from, to] };
}
function parseGreater({ major, minor, patch, version }: Pieces): VersionInterval {
  if (major === undefined) return NOTHING;
  if (minor === undefined) return atLeast(release(major + 1));
  return patch === undefined ? atLeast(release(major, minor + 1)) : greaterThan(version);
}
function parseAtMost({ major, minor, patch, version }: Pieces): VersionInterval {
  if (major === undefined) return ALL;
  if (minor === undefined) return lessThan(release(major + 1));
  return patch === undefined ? lessThan(release(major, minor + 1)) : atMost(version);
}
function allowMinorUpdates({ major, version }: Pieces): VersionInterval {
  return major === undefined ? ALL : span(version, release(major + 1));
}
function allowPatchUpdates({ major, minor, patch, version }: Pieces, isRange: boolean): VersionInterval {
  if (major === undefined) return ALL;
  if (minor === undefined) return span(release(major), release(major + 1));
  if (patch === undefined) return span(release(major, minor), release(major, minor + 1));
  return isRange ? span(version, release(major, minor + 1)) : exactly(version);
}
