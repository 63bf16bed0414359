/** Which clients do what `Retry-After` asks for. */

type Version = readonly [number, number, number];

/**
 * From the first of each pair to before the second. Agents learnt it with 5.3.1; from 6.14 on they close the
 * connection before they have read the answer, and fail, until PUP-11853 was solved in 7.26.0 and 8.2.0.
 */
const able: readonly (readonly [Version, Version])[] = [
  [
    [5, 3, 1],
    [6, 14, 0],
  ],
  [
    [7, 26, 0],
    [8, 0, 0],
  ],
  [
    [8, 2, 0],
    [Number.POSITIVE_INFINITY, 0, 0],
  ],
];

/** @param puppetVersion - the header `X-Puppet-Version`; clients that send none are no agents, and fail */
export function understandsRetryAfter(puppetVersion: string | undefined): boolean {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(puppetVersion ?? '') ?? [];
  if (major === undefined) return false;
  const version: Version = [Number(major), Number(minor), Number(patch)];
  return able.some(([from, to]) => compare(version, from) >= 0 && compare(version, to) < 0);
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
