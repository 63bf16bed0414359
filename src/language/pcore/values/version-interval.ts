/** One connected part of a version range, between two versions; how such parts print, meet and join. */

import { SemVerValue } from './semver-value.ts';

export interface VersionInterval {
  readonly begin: SemVerValue;
  readonly end: SemVerValue;
  readonly excludesBegin: boolean;
  readonly excludesEnd: boolean;
  /** The versions that were named: a prerelease of one of them is included. `'any'` for `*`. */
  readonly named: readonly SemVerValue[] | 'any';
}

const { MIN, MAX } = SemVerValue;

export const ALL: VersionInterval = {
  begin: MIN,
  end: MAX,
  excludesBegin: false,
  excludesEnd: false,
  named: 'any',
};
export const NOTHING: VersionInterval = lessThan(MIN);

export function atLeast(version: SemVerValue): VersionInterval {
  return { begin: version, end: MAX, excludesBegin: false, excludesEnd: false, named: [version] };
}
export function greaterThan(version: SemVerValue): VersionInterval {
  return { ...atLeast(version), excludesBegin: true };
}
export function atMost(version: SemVerValue): VersionInterval {
  return { begin: MIN, end: version, excludesBegin: false, excludesEnd: false, named: [version] };
}
export function lessThan(version: SemVerValue): VersionInterval {
  return { ...atMost(version), excludesEnd: true };
}
export function exactly(version: SemVerValue): VersionInterval {
  return { begin: version, end: version, excludesBegin: false, excludesEnd: false, named: [version] };
}

export function contains(interval: VersionInterval, version: SemVerValue): boolean {
  const low = version.compare(interval.begin);
  const high = version.compare(interval.end);
  return (interval.excludesBegin ? low > 0 : low >= 0) && (interval.excludesEnd ? high < 0 : high <= 0);
}

/** A prerelease counts only where one of the same version was named. */
export function admits(interval: VersionInterval, version: SemVerValue): boolean {
  if (!contains(interval, version)) return false;
  if (version.isStable || interval.named === 'any') return true;
  return interval.named.some(
    (named) =>
      !named.isStable &&
      named.major === version.major &&
      named.minor === version.minor &&
      named.patch === version.patch,
  );
}

/** What is in both; `undefined` when nothing is. */
export function intersect(a: VersionInterval, b: VersionInterval): VersionInterval | undefined {
  if (a.named === 'any') return b;
  if (b.named === 'any') return a;
  const begins = a.begin.compare(b.begin);
  const ends = a.end.compare(b.end);
  const low = begins > 0 || (begins === 0 && a.excludesBegin) ? a : b;
  const high = ends < 0 || (ends === 0 && a.excludesEnd) ? a : b;
  const order = low.begin.compare(high.end);
  if (order > 0 || (order === 0 && (low.excludesBegin || high.excludesEnd))) return undefined;
  if (order === 0) return exactly(low.begin);
  return join(low, high);
}

function join(low: VersionInterval, high: VersionInterval): VersionInterval {
  const named =
    low.named === 'any' || high.named === 'any' ? 'any' : [...new Set([...low.named, ...high.named])];
  return {
    begin: low.begin,
    end: high.end,
    excludesBegin: low.excludesBegin,
    excludesEnd: high.excludesEnd,
    named,
  };
}

/** The union when it is connected, else `undefined`. */
export function unite(a: VersionInterval, b: VersionInterval): VersionInterval | undefined {
  if (a.named === 'any' || b.named === 'any') return ALL;
  if (contains(a, b.begin) || contains(b, a.begin)) {
    const begins = a.begin.compare(b.begin);
    const ends = a.end.compare(b.end);
    const low = begins < 0 || (begins === 0 && !a.excludesBegin) ? a : b;
    const high = ends > 0 || (ends === 0 && !a.excludesEnd) ? a : b;
    return join(low, high);
  }
  if (adjoins(a, b)) return join(a, b);
  return adjoins(b, a) ? join(b, a) : undefined;
}

function adjoins(low: VersionInterval, high: VersionInterval): boolean {
  if (high.excludesBegin) return false;
  const end = low.excludesEnd ? low.end : low.end.nextPatch();
  return end.compare(high.begin) === 0;
}

export function intervalKey(interval: VersionInterval): string {
  const open = interval.excludesBegin ? '>' : '>=';
  const close = interval.excludesEnd ? '<' : '<=';
  return `${open}${interval.begin.toString()} ${close}${interval.end.toString()}`;
}

/** `>=1.0.0 <2.0.0`, `1.2.3`, `*` */
export function intervalText(interval: VersionInterval): string {
  const { begin, end, excludesBegin, excludesEnd } = interval;
  if (interval.named === 'any') return '*';
  if (begin.compare(end) === 0 && !excludesBegin && !excludesEnd) return begin.toString();
  const low = begin === MIN ? [] : [`${excludesBegin ? '>' : '>='}${begin.toString()}`];
  const high = end === MAX ? [] : [`${excludesEnd ? '<' : '<='}${end.toString()}`];
  return [...low, ...high].join(' ');
}
