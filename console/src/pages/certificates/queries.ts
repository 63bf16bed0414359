/** Queries of the page of certificates. */

import { infiniteQueryOptions } from '@tanstack/react-query';
import { readCertificates } from '../../api/certificates.ts';
import type { CertificatesSearch } from './search.ts';

const pageRows = 100;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function certificatePages({ q = '', state = 'requested' }: CertificatesSearch) {
  return infiniteQueryOptions({
    queryKey: ['ca', state, q],
    queryFn: ({ pageParam, signal }) =>
      readCertificates({ state, q, limit: pageRows, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.length < pageRows ? undefined : last.at(-1)?.name),
  });
}
