/** What the console asks of PuppetDB about the runs of all nodes. */

import { z } from 'zod';
import type { NodeSource, RunEnd } from '../../services/console/index.ts';

/** Asks a query in its AST. @throws what `shape` says of another answer */
type Ask = <T>(shape: z.ZodType<T>, query: readonly unknown[], signal: AbortSignal) => Promise<T>;

/** Tolerates clocks of nodes that are ahead. */
const clockSlackMs = 10 * 60_000;
const outcome = ['environment', 'status', 'noop', 'noop_pending', 'corrective_change'];
const minute = ['function', 'to_string', 'end_time', 'YYYY-MM-DD"T"HH24:MI"Z"'];
const grouped = ['group_by', minute, ...outcome];

export function consoleRuns(ask: Ask): NodeSource['runs'] {
  return async ({ endedFromMs, producedFromMs }, signal) => {
    const ended = ['>=', 'end_time', timeText(endedFromMs)];
    const produced = timeText(producedFromMs);
    // Reports come after the end of their runs: there is an index for when they came.
    const notBefore = ['>=', 'producer_timestamp', timeText(endedFromMs - clockSlackMs)];
    const isEarlier = ['and', notBefore, ['<', 'producer_timestamp', produced], ended];
    const isRecent = ['and', ['>=', 'producer_timestamp', produced], ended];
    const counted = ['extract', [['function', 'count'], minute, ...outcome], isEarlier, grouped];
    const each = ['extract', ['hash', 'end_time', ...outcome], isRecent];
    const [earlier, recent] = await Promise.all([
      ask(CountedRunsWire, ['from', 'reports', counted], signal),
      ask(RecentRunsWire, ['from', 'reports', each], signal),
    ]);
    return {
      earlier: earlier.map((row) => ({ ...endOf(row), endMs: Date.parse(row.to_string), count: row.count })),
      recent: recent.map((row) => ({
        ...endOf(row),
        endMs: Date.parse(row.end_time),
        count: 1,
        hash: row.hash,
      })),
    };
  };
}

function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

function endOf(row: z.infer<typeof OutcomeWire>): RunEnd {
  return {
    environment: row.environment ?? undefined,
    reportStatus: row.status ?? undefined,
    isNoop: row.noop === true,
    isNoopPending: row.noop_pending === true,
    isCorrective: row.corrective_change === true,
  };
}

const OutcomeWire = z.object({
  environment: z.string().nullable(),
  status: z.string().nullable(),
  noop: z.boolean().nullable(),
  noop_pending: z.boolean().nullable(),
  corrective_change: z.boolean().nullable(),
});
const CountedRunsWire = z.array(OutcomeWire.extend({ to_string: z.string(), count: z.number() }));
const RecentRunsWire = z.array(OutcomeWire.extend({ hash: z.string(), end_time: z.string() }));
