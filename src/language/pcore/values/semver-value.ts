import { fault } from '../fault.ts';
import { OpaqueValue } from '../value.ts';

const PATTERN =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

type Identifier = number | string;

/** What follows the three numbers of a version. */
interface Labels {
  readonly prerelease?: readonly Identifier[] | undefined;
  readonly build?: readonly string[] | undefined;
}

/** A semantic version. */
export class SemVerValue extends OpaqueValue {
  static readonly MIN: SemVerValue = new SemVerValue([0, 0, 0], { prerelease: [] });
  static readonly MAX: SemVerValue = new SemVerValue([Infinity, 0, 0]);
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Absent for a release. */
  readonly prerelease: readonly Identifier[] | undefined;
  readonly build: readonly string[] | undefined;

  constructor(
    [major, minor, patch]: readonly [major: number, minor: number, patch: number],
    { build, prerelease }: Labels = {},
  ) {
    super();
    this.major = major;
    this.minor = minor;
    this.patch = patch;
    this.prerelease = prerelease;
    this.build = build;
  }

  /** @throws PuppetError when `text` is no semantic version */
  static parse(text: string): SemVerValue {
    const version = SemVerValue.tryParse(text);
    if (version === undefined) throw fault(`Unable to parse '${text}' as a semantic version identifier`);
    return version;
  }

  static tryParse(text: string): SemVerValue | undefined {
    const found = PATTERN.exec(text);
    if (found === null) return undefined;
    const [, major, minor, patch, prerelease, build] = found;
    return new SemVerValue([Number(major), Number(minor), Number(patch)], {
      prerelease: parsePrerelease(prerelease),
      build: build?.split('.'),
    });
  }

  get isStable(): boolean {
    return this.prerelease === undefined || this.prerelease.length === 0;
  }

  /** Negative, zero or positive; the build does not count. */
  compare(other: SemVerValue): number {
    return (
      order(this.major, other.major) ||
      order(this.minor, other.minor) ||
      order(this.patch, other.patch) ||
      this.comparePrerelease(other)
    );
  }

  private comparePrerelease(other: SemVerValue): number {
    const [mine, theirs] = [this.prerelease, other.prerelease];
    if (mine === undefined) return theirs === undefined ? 0 : 1;
    if (theirs === undefined) return -1;
    for (const [index, left] of mine.entries()) {
      const right = theirs[index];
      if (right === undefined) return 1;
      const difference = compareIdentifiers(left, right);
      if (difference !== 0) return difference;
    }
    return order(mine.length, theirs.length);
  }

  nextPatch(): SemVerValue {
    return new SemVerValue([this.major, this.minor, this.patch + 1]);
  }

  override toString(): string {
    const prerelease = this.prerelease === undefined ? '' : `-${this.prerelease.join('.')}`;
    const build = this.build === undefined ? '' : `+${this.build.join('.')}`;
    return `${this.major}.${this.minor}.${this.patch}${prerelease}${build}`;
  }
  equalityKey(): string {
    return `SemVer:${this.toString()}`;
  }
}

/** @throws PuppetError on a number with leading zeroes */
export function parsePrerelease(text: string | undefined): readonly Identifier[] | undefined {
  return text?.split('.').map((part) => {
    if (!/^\d+$/.test(part)) return part;
    if (part.length > 1 && part.startsWith('0')) {
      throw fault('Numeric pre-release identifiers MUST NOT contain leading zeroes');
    }
    return Number(part);
  });
}

function order(a: number | string, b: number | string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Numbers come before words. */
function compareIdentifiers(a: Identifier, b: Identifier): number {
  if (typeof a === typeof b) return order(a, b);
  return typeof a === 'number' ? -1 : 1;
}
