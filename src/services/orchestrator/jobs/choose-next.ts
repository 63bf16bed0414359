/** Whose turn it is: which nodes may begin, within the limits of the installation and of each job. Pure. */

import type { JobLane } from './job.ts';

/** A job with nodes that wait. */
export interface Contender {
  readonly id: number;
  readonly lane: JobLane;
  /** How many of its nodes may be at work at once; unlimited when absent. */
  readonly concurrency?: number;
  /** Nodes that were sent a request and have not ended. */
  readonly atWork: number;
  /** Nodes that can begin: they wait, and are connected. */
  readonly waiting: Iterable<string>;
}

/** How many actions of each type may be at work at once, over all jobs. */
export type TypeLimits = Readonly<Record<JobLane, number>>;

export interface Choice {
  readonly id: number;
  readonly certname: string;
}

/**
 * Jobs take turns, so that a large one does not keep a small one waiting. Puppet runs once at a time on a node: a second run would
 * wait for the first there, and another node could have its place.
 *
 * @param inRuns - nodes with a Puppet run
 */
export function chooseNext(
  contenders: readonly Contender[],
  limits: TypeLimits,
  inRuns: ReadonlySet<string>,
): readonly Choice[] {
  const chosen: Choice[] = [];
  const busy: Record<JobLane, Set<string>> = { deploy: new Set(inRuns), task: new Set() };
  const free: Record<JobLane, number> = { ...limits };
  for (const { atWork, lane } of contenders) free[lane] -= atWork;
  let rotation = contenders
    .toSorted((one, other) => one.atWork - other.atWork || one.id - other.id)
    .map((contender) => ({
      contender,
      places: (contender.concurrency ?? Number.POSITIVE_INFINITY) - contender.atWork,
      waiting: contender.waiting[Symbol.iterator](),
    }));
  while (rotation.length > 0)
    rotation = rotation.filter((turn) => {
      const { id, lane } = turn.contender;
      if (free[lane] <= 0 || turn.places <= 0) return false;
      const certname = nextIdle(turn.waiting, busy[lane]);
      if (certname === undefined) return false;
      chosen.push({ id, certname });
      if (lane === 'deploy') busy.deploy.add(certname);
      free[lane] -= 1;
      turn.places -= 1;
      return true;
    });
  return chosen;
}

function nextIdle(waiting: Iterator<string>, busy: ReadonlySet<string>): string | undefined {
  for (;;) {
    const { done, value } = waiting.next();
    if (done === true) return undefined;
    if (!busy.has(value)) return value;
  }
}
