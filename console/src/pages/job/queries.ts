/** Queries of the page of a job. */

import { queryOptions } from '@tanstack/react-query';
import { readJobNodes } from '../../api/jobs.ts';
import { failedStates } from '../../lib/job-repeat.ts';
import type { JobNode } from '../../lib/jobs.ts';

/** The nodes on which the job would run again. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function nodesToRepeat(id: string, isFailedOnly: boolean) {
  return queryOptions({
    queryKey: ['orchestrator', 'job', id, 'repeat', isFailedOnly],
    async queryFn({ signal }): Promise<readonly Pick<JobNode, 'name' | 'level' | 'state'>[]> {
      const nodes = await readJobNodes(id, {}, signal);
      return nodes
        .filter(({ state }) => !isFailedOnly || failedStates.includes(state))
        .map(({ level, name, state }) => ({ name, state, ...(level === undefined ? {} : { level }) }));
    },
  });
}
