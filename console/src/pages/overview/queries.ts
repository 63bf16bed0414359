/** What the overview asks for. */

import type { UseQueryOptions } from '@tanstack/react-query';
import { sumEvents } from '../../api/fleet.ts';
import { type Overview, type Runs, readOverview, readRuns } from '../../api/nodes.ts';
import type { ReportRow } from '../../api/puppetdb.ts';
import { readScaling, type ScalingStatus } from '../../api/scaling.ts';
import { readReports } from '../../features/report-queries.ts';
import { termText } from '../../lib/filter-terms.ts';
import { quoted } from '../../lib/pql.ts';

export interface FailureMessage {
  readonly message: string;
  /** Of the nodes that have it. */
  readonly filter: string;
  readonly nodes: number;
}

const shownMessages = 5;
const shownReports = 8;

export function overview(environment: string | undefined): UseQueryOptions<Overview> {
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
export function eventfulReports(environment: string | undefined): UseQueryOptions<readonly ReportRow[]> {
  const conditions = ['status in ["failed", "changed"]', ...within('environment', environment)];
  return {
    queryKey: ['pdb', 'eventful-reports', environment],
    queryFn: ({ signal }) => readReports({ conditions, limit: shownReports }, signal),
  };
}

export function scaling(): UseQueryOptions<ScalingStatus> {
  return { queryKey: ['autoscaler', 'status'], queryFn: ({ signal }) => readScaling(signal) };
}

function within(column: string, environment: string | undefined): readonly string[] {
  return environment === undefined ? [] : [`${column} = ${quoted(environment)}`];
}
