/** Why so many compile servers are advised, in sentences. */

interface Explained {
  readonly settings: { readonly target: number };
  readonly complete: boolean;
  readonly numbers: {
    readonly need_workers: number;
    readonly work_workers: number;
    readonly backlog_workers: number;
    readonly planned_workers: number;
    readonly plan_trusted: boolean;
    readonly plan_error: number | null;
    readonly recent_peak_workers: number;
    readonly serving_workers: number;
  };
  readonly nodes: { readonly waiting: number };
}

/** The share of its capacity that a crowd may use for a moment. */
const crowdShare = 0.85;

const holdWords: Readonly<Record<string, string>> = {
  growth: 'servers at most double, or become four more, in a minute',
  failures: 'servers could not be started: the next attempt waits',
  paused: 'scaling is paused',
  deploy: 'code was deployed, so catalogs may take longer now',
  'lost-server': 'a server has vanished and may come back; removing it ends this',
  'silent-servers': 'more than a fifth of the servers is silent',
  'primary-started': 'the primary has just started',
  missing: 'not all servers have reported their work',
  'recent-peak': 'as many servers were needed a while ago',
  'one-a-minute': 'one server is removed in a minute',
  draining: 'other servers drain',
};

/** Why the number of servers stays as it is. @returns the kind itself for one that is new */
export function holdText(kind: string): string {
  return holdWords[kind] ?? kind;
}

export function explainScaling({ complete, nodes, numbers, settings }: Explained): readonly string[] {
  const workers = (count: number) => `${count.toFixed(1)} workers`;
  const byTarget = workers(numbers.work_workers / settings.target);
  return [
    `Lasting load keeps ${workers(numbers.work_workers)} busy; with a target of ${Math.round(settings.target * 100)} %, ${byTarget} are needed for it.`,
    nodes.waiting === 0
      ? 'No node was told to retry later.'
      : `${nodes.waiting.toLocaleString('en')} nodes were told to retry later; ${workers(numbers.backlog_workers)} serve them in time.`,
    `${planText(numbers)} The largest crowd of the next half hour keeps ${workers(numbers.planned_workers)} busy; ${workers(numbers.planned_workers / crowdShare)} are needed for it.`,
    ...(numbers.plan_trusted
      ? []
      : [
          `The largest crowd of the last half hour kept ${workers(numbers.recent_peak_workers)} busy; servers for it stay.`,
        ]),
    `Together ${workers(numbers.need_workers)} are needed, and ${numbers.serving_workers} serve.${complete ? '' : ' Not all numbers are known yet.'}`,
  ];
}

function planText({
  plan_error: error,
  plan_trusted: isTrusted,
}: Pick<Explained['numbers'], 'plan_error' | 'plan_trusted'>): string {
  if (isTrusted) return 'The plan is trusted.';
  if (error === null) return 'The plan is not known well enough yet.';
  return `The plan is not trusted: it was wrong by ${Math.round(error * 100)} % lately.`;
}

interface Step {
  readonly time: string;
  readonly serving: number;
  readonly wanted: number;
}

export interface ScalingStep {
  readonly timeMs: number;
  readonly serving: number;
  readonly wanted: number;
}

/**
 * What applied when, from a time on, the oldest first.
 *
 * @param entries - the newest first
 * @param now - what applies now, which ends the last step
 */
export function scalingSteps(
  entries: readonly Step[],
  now: { readonly timeMs: number; readonly serving: number; readonly wanted: number },
  fromMs: number,
): readonly ScalingStep[] {
  const steps = entries.map(({ serving, time, wanted }) => ({ timeMs: Date.parse(time), serving, wanted }));
  const within = steps.filter(({ timeMs }) => timeMs > fromMs).toReversed();
  const before = steps.find(({ timeMs }) => timeMs <= fromMs);
  const first = before === undefined ? [] : [{ ...before, timeMs: fromMs }];
  return [...first, ...within, now];
}
