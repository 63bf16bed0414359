/** When a certificate is renewed before it ends. */

const dayMs = 24 * 60 * 60 * 1000;
const longestMs = 60 * dayMs;

interface Lifetime {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/**
 * True when less than a third of its life is left, or less than 60 days of a long one; and when it is not valid yet,
 * because the clock was wrong when it was signed.
 */
export function isDueForRenewal({ notAfter, notBefore }: Lifetime, now: Date): boolean {
  if (now < notBefore) return true;
  const lifetimeMs = notAfter.getTime() - notBefore.getTime();
  return notAfter.getTime() - now.getTime() < Math.min(lifetimeMs / 3, longestMs);
}

/** Whole days until `date`; negative when it is over. */
export function daysUntil(date: Date, now: Date): number {
  return Math.floor((date.getTime() - now.getTime()) / dayMs);
}
