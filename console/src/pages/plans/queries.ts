/** Queries of the page of plans. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { readPlan, readPlanJobs, readPlans } from '../../api/plans.ts';

const pageRows = 100;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function planList(environment: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'plans', environment],
    queryFn: ({ signal }) => readPlans(environment, signal),
  });
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function planByName(name: string, environment: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'plans', environment, name],
    queryFn: ({ signal }) => readPlan(name, environment, signal),
    retry: false,
  });
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function planJobPages() {
  return infiniteQueryOptions({
    queryKey: ['orchestrator', 'plan-jobs'],
    queryFn: ({ pageParam, signal }) => readPlanJobs({ limit: pageRows, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.items.length < pageRows ? undefined : pages.length * pageRows),
    placeholderData: (previous) => previous,
  });
}
