/** What paths and queries of requests say. */

import { ServiceError } from '../../lib/service-error.ts';
import { decodeId } from './json-bodies.ts';

/** The group that a path names. @throws ServiceError `bad-request` */
export function idOf(params: Readonly<Record<string, string>>): string {
  return decodeId(params['id'] ?? '');
}

/** A number of things. @throws ServiceError `bad-request` */
export function countIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const kind = /^-\d+$/.test(text) ? 'illegal-count' : 'malformed-number';
  throw new ServiceError('bad-request', `The value of ${name} is not a non-negative integer: ${text}`, {
    kind,
  });
}
