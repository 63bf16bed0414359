/** The part of the address that belongs to the certificates. */

import { oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export const certificateStates = ['requested', 'signed', 'revoked'] as const;

export interface CertificatesSearch {
  /** Requests when absent. */
  readonly state?: (typeof certificateStates)[number] | undefined;
  /** A part of a certname, an alternative name or a fingerprint. */
  readonly q?: string | undefined;
}

export function certificatesSearch(search: RawSearch): CertificatesSearch {
  const state = oneIn(search, 'state', certificateStates);
  return { state: state === 'requested' ? undefined : state, q: textIn(search, 'q') };
}
