/** Queries of the page of tasks. */

import { queryOptions } from '@tanstack/react-query';
import { readTask, readTasks } from '../../api/tasks.ts';

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function taskList(environment: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'tasks', environment],
    queryFn: ({ signal }) => readTasks(environment, signal),
  });
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function taskByName(name: string, environment: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'tasks', environment, name],
    queryFn: ({ signal }) => readTask(name, environment, signal),
    retry: false,
  });
}
