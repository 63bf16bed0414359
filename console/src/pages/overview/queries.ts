/** What the overview asks for. */

import type { UseQueryOptions } from '@tanstack/react-query';
import { sumEvents } from '../../api/fleet.ts';
import {
  type LastRuns,
  type Overview,
  type Runs,
  readLastRuns,
  readOverview,
  readRuns,
} from '../../api/nodes.ts';
import { readScaling, type ScalingStatus } from '../../api/scaling.ts';
import { termText } from '../../lib/filter-terms.ts';

export interface FailureMessage {
  readonly message: string;
  /** Of the nodes that have it. */
  readonly filter: string;
  readonly nodes: number;
}

const shownMessages = 5;

/** How many nodes there are of each status. */
export function overviewCounts(environment: string | undefined): UseQueryOptions<Overview> {
  return {
    queryKey: ['console', 'overview', environment],
    queryFn: ({ signal }) => readOverview(environment, signal),
  };
}

/** The runs of the last hours. */
export function runs(environment: string | undefined): UseQueryOptions<Runs> {
  return {
    queryKey: ['console', 'runs', environment],
    queryFn: ({ signal }) => readRuns(environment, signal),
  };
}

/** The messages of failures in the last runs that most nodes have. */
export function failureMessages(environment: string | undefined): UseQueryOptions<readonly FailureMessage[]> {
  return {
    queryKey: ['pdb', 'failure-messages', environment],
    async queryFn({ signal }) {
      const { rows } = await sumEvents(
        {
          by: 'message',
          status: 'failed',
          latest: true,
          ...(environment === undefined ? {} : { environment }),
          limit: shownMessages,
        },
        signal,
      );
      return rows.flatMap(({ nodes, subject }) =>
        subject === null ? [] : [{ message: subject, filter: termText('failure', subject), nodes }],
      );
    },
  };
}

/** The last runs that failed or changed something. */
export function lastRuns(environment: string | undefined): UseQueryOptions<LastRuns> {
  return {
    queryKey: ['console', 'last-runs', environment],
    queryFn: ({ signal }) => readLastRuns(environment, signal),
  };
}

export function scaling(): UseQueryOptions<ScalingStatus> {
  return { queryKey: ['autoscaler', 'status'], queryFn: ({ signal }) => readScaling(signal) };
}
