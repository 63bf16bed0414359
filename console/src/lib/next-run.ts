/** Estimates when an agent runs next, from its last runs. */

interface Run {
  /** ISO 8601 */
  readonly start_time: string;
  /** The orchestrator's job; such runs are additional to the agent's own. */
  readonly job_id: string | null;
}

const fewestRuns = 3;
const mostRuns = 10;

/**
 * Agents run at intervals: the middle one of the last intervals after the last run.
 *
 * @param runs - the latest first
 * @returns `undefined` for a node with few runs of its own
 */
export function expectedRun(runs: readonly Run[]): Date | undefined {
  const starts = runs
    .filter(({ job_id: job }) => job === null)
    .slice(0, mostRuns)
    .map(({ start_time: time }) => Date.parse(time));
  const [last] = starts;
  if (last === undefined || starts.length < fewestRuns) return undefined;
  const gaps = starts.slice(1).map((start, index) => (starts[index] ?? start) - start);
  const middle = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  return new Date(last + middle);
}

/** Agents are seldom exact to the minute. */
const lateMs = 60_000;

/** Whether an expected run lies ahead, should begin now, or is overdue. */
export function dueState(expected: Date, now: Date): 'ahead' | 'now' | 'overdue' {
  const agoMs = now.getTime() - expected.getTime();
  if (agoMs < 0) return 'ahead';
  return agoMs < lateMs ? 'now' : 'overdue';
}
