/** What several pages ask of PuppetDB about the runs of nodes. */

import { query, type ReportRow, reportColumns } from '../api/puppetdb.ts';
import { outcomeStatus, type RunStatus } from '../lib/run-status.ts';

type Outcome = Pick<ReportRow, 'corrective_change' | 'noop' | 'noop_pending' | 'status'>;

export function statusOfReport(report: Outcome): RunStatus {
  return outcomeStatus({
    status: report.status,
    noop: report.noop,
    noopPending: report.noop_pending,
    corrective: report.corrective_change,
  });
}

interface ReportPage {
  readonly conditions: readonly string[];
  readonly limit: number;
  readonly offset?: number;
}

/** Reports, the latest first. */
export async function readReports(
  { conditions, limit, offset = 0 }: ReportPage,
  signal: AbortSignal,
): Promise<readonly ReportRow[]> {
  return await query(
    { entity: 'reports', columns: reportColumns, conditions, orderBy: ['end_time desc'], limit, offset },
    signal,
  );
}
