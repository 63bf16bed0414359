/** From when until when what the authority signs is valid. */

import { ServiceError } from '../../lib/service-error.ts';

export { parseSeconds as parseTtl } from '../../lib/duration.ts';

const dayMs = 24 * 60 * 60 * 1000;

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The last moment that a certificate can name (RFC 5280, 4.1.2.5: four digits for the year). */
const lastTimeMs = Date.parse('9999-12-31T23:59:59Z');

/**
 * From yesterday, because clocks differ, until `ttlSeconds` from now; whole seconds.
 *
 * @throws ServiceError `bad-request` for an end beyond the year 9999
 */
export function validityFrom(now: Date, ttlSeconds: number): Validity {
  if (!(now.getTime() + ttlSeconds * 1000 <= lastTimeMs))
    throw new ServiceError('bad-request', `A ttl of ${ttlSeconds} seconds ends after the year 9999`);
  return {
    notBefore: wholeSeconds(now.getTime() - dayMs),
    notAfter: wholeSeconds(now.getTime() + ttlSeconds * 1000),
  };
}

/** How long a certificate that was signed here was to be valid, in seconds. */
export function ttlOf({ notAfter, notBefore }: Validity): number {
  return Math.max(0, notAfter.getTime() - notBefore.getTime() - dayMs) / 1000;
}

/** A CRL lives five calendar years, as Puppet Server's does. */
export function revocationListValidity(now: Date): { readonly thisUpdate: Date; readonly nextUpdate: Date } {
  const nextUpdate = wholeSeconds(now.getTime());
  nextUpdate.setUTCFullYear(nextUpdate.getUTCFullYear() + 5);
  return { thisUpdate: wholeSeconds(now.getTime() - dayMs), nextUpdate };
}

/** `2031-11-20T09:20:36UTC`, as the inventory and the HTTP API write times. */
export function renderTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}UTC`;
}

/** The opposite of `renderTime`, or `undefined` when the text is something else. */
export function parseTime(text: string): Date | undefined {
  const match = /^(\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:UTC|GMT|Z)$/.exec(text);
  const date = match && new Date(`${match[1]}Z`);
  return date && !Number.isNaN(date.getTime()) ? date : undefined;
}

function wholeSeconds(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000);
}
