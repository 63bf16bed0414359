/** Queries of the page of schedules. */

import { queryOptions } from '@tanstack/react-query';
import { readSchedule, readScheduleRuns, readSchedules } from '../../api/schedules.ts';

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function scheduleList() {
  return queryOptions({
    queryKey: ['orchestrator', 'schedules', 'list'],
    queryFn: ({ signal }) => readSchedules(signal),
  });
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function scheduleById(id: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'schedules', 'one', id],
    queryFn: ({ signal }) => readSchedule(id, signal),
  });
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function scheduleRuns(id: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'schedules', 'runs', id],
    queryFn: ({ signal }) => readScheduleRuns(id, signal),
  });
}
