/** From when until when a certificate or a list is valid, and what a person must know about it now. */

import { daysUntil } from '../../platform/x509/index.ts';

export interface Term {
  readonly name: string;
  readonly kind: 'certificate' | 'CRL';
  readonly startsAt: Date;
  /** A list without an end does not lapse. */
  readonly endsAt: Date | undefined;
}

/** `early`: not valid yet; `soon`: ends within the time that is asked about. */
export type TermState = 'early' | 'valid' | 'soon' | 'over';

export function termState(
  { endsAt, startsAt }: Omit<Term, 'name' | 'kind'>,
  now: Date,
  soonMs = 0,
): TermState {
  if (now < startsAt) return 'early';
  if (endsAt === undefined) return 'valid';
  const left = endsAt.getTime() - now.getTime();
  if (left <= 0) return 'over';
  return left < soonMs ? 'soon' : 'valid';
}

/** In words with the dates, `undefined` while it is valid for longer than `soonMs`. */
export function termAlert(
  term: Term,
  now: Date,
  soonMs: number,
): { readonly severity: 'error' | 'warning'; readonly message: string } | undefined {
  const { endsAt, kind, name, startsAt } = term;
  const state = termState(term, now, soonMs);
  const subject = `The ${kind} of ${name}`;
  if (state === 'early') {
    const message = `${subject} is not valid before ${startsAt.toISOString()}: the clock is wrong, or was wrong when it was signed`;
    return { severity: 'error', message };
  }
  if (state === 'valid' || endsAt === undefined) return undefined;
  if (state === 'soon')
    return { severity: 'warning', message: `${subject} ends in ${daysUntil(endsAt, now)} days` };
  const message = `${subject} ended on ${endsAt.toISOString()}, ${daysUntil(now, endsAt)} days ago`;
  return { severity: 'error', message };
}
