/** Queries about a job that several pages share. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { readJob, readJobEvents, readJobNodes } from '../api/jobs.ts';
import { type NodeState, withOutput } from '../lib/jobs.ts';

const pageRows = 100;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function jobById(id: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'job', id],
    queryFn: ({ signal }) => readJob(id, signal),
  });
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function nodePages(id: string, state: NodeState | undefined) {
  return infiniteQueryOptions({
    queryKey: ['orchestrator', 'job', id, 'nodes', state],
    queryFn: ({ pageParam, signal }) =>
      readJobNodes(id, { state, limit: pageRows, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < pageRows ? undefined : pages.length * pageRows),
    // Of this job alone: another one has other nodes.
    placeholderData: (previous, query) => (query?.queryKey[2] === id ? previous : undefined),
  });
}

interface Output {
  /** By certname. */
  readonly texts: Readonly<Record<string, string>>;
  /** The ID of the next event. */
  readonly next: string;
}

/** The output of nodes so far. Each request asks for new events only. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function jobOutput(id: string) {
  const queryKey = ['orchestrator', 'job', id, 'output'];
  return queryOptions({
    queryKey,
    async queryFn({ client, signal }): Promise<Output> {
      const { next, texts } = client.getQueryData<Output>(queryKey) ?? { texts: {}, next: '0' };
      const events = await readJobEvents(id, next, signal);
      return { texts: withOutput(texts, events.items), next: events['next-events'].event };
    },
  });
}
