/** Queries of the list of jobs. */

import { infiniteQueryOptions } from '@tanstack/react-query';
import { readJobs } from '../../api/jobs.ts';
import type { JobsSearch } from './search.ts';

const pageRows = 100;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function jobPages({ state, type }: JobsSearch) {
  return infiniteQueryOptions({
    queryKey: ['orchestrator', 'jobs', state, type],
    queryFn: ({ pageParam, signal }) => readJobs({ state, type, limit: pageRows, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.items.length < pageRows ? undefined : pages.length * pageRows),
    placeholderData: (previous) => previous,
  });
}
