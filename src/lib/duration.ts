/** Lengths of time as Puppet writes them. */

const secondsIn: Readonly<Record<string, number>> = { y: 31_536_000, d: 86_400, h: 3600, m: 60, s: 1 };

/**
 * Seconds from `3600`, `12h`, `30d`, `5y`; `undefined` when it is something else. A year has 365 days, as everywhere in
 * Puppet.
 */
export function parseSeconds(text: string): number | undefined {
  const [, digits, unit = 's'] = /^(\d{1,9})([ydhms])?$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (secondsIn[unit] ?? 1);
}
