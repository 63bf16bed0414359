/** The last runs that failed or changed something, for the overview. */

import type { LastRuns } from '../wire.ts';
import type { FleetSource } from './fleet-source.ts';

const shownRuns = 8;
const columns = ['hash', 'certname', 'status', 'noop', 'noop_pending', 'corrective_change', 'end_time'];

/** @param environment - all when absent @returns the latest first */
export async function lastRuns(
  source: Pick<FleetSource, 'rows'>,
  environment: string | undefined,
  signal: AbortSignal,
): Promise<LastRuns> {
  const isEventful = ['in', 'status', ['array', ['failed', 'changed']]];
  const condition =
    environment === undefined ? isEventful : ['and', isEventful, ['=', 'environment', environment]];
  const rows = await source.rows(
    [
      'from',
      'reports',
      ['extract', columns, condition],
      ['order_by', [['end_time', 'desc']]],
      ['limit', shownRuns],
    ],
    signal,
  );
  return { runs: rows as LastRuns['runs'] };
}
