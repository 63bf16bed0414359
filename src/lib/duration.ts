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

/** `12h`, `30d`, `5y`: in the largest unit that has a whole number. */
export function renderSeconds(seconds: number): string {
  const found = Object.entries(secondsIn).find(([, size]) => seconds !== 0 && seconds % size === 0);
  const [unit, size] = found ?? ['s', 1];
  return `${seconds / size}${unit}`;
}
