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

/** The share of its capacity that a peak may use for a moment. */
const peakShare = 0.85;

const holdWords: Readonly<Record<string, string>> = {
  growth: 'the number at most doubles, or grows by four servers, in a minute',
  failures: 'servers could not be started, and the next attempt is delayed',
  paused: 'scaling is paused',
  deploy: 'code was deployed, so catalogs may take longer for now',
  'lost-server': 'a server is unreachable and may come back; remove it to end this',
  'silent-servers': 'more than a fifth of the servers do not report',
  'primary-started': 'the primary has just started',
  missing: 'not all servers have reported their load yet',
  'recent-peak': 'this many servers were needed a short time ago',
  'one-a-minute': 'at most one server is removed in a minute',
  draining: 'other servers are draining',
};

/** Why the number of servers stays as it is. @returns the kind itself for one that is new */
export function holdText(kind: string): string {
  return holdWords[kind] ?? kind;
}

export function explainScaling({ complete, nodes, numbers, settings }: Explained): readonly string[] {
  const workers = (count: number) => `${count.toFixed(1)} workers`;
  const byTarget = workers(numbers.work_workers / settings.target);
  return [
    `Steady load: ${workers(numbers.work_workers)} busy. At a target of ${Math.round(settings.target * 100)} %, ${byTarget} are needed.`,
    nodes.waiting === 0
      ? 'Backlog: no nodes were told to retry later.'
      : `Backlog: ${nodes.waiting.toLocaleString('en')} nodes were told to retry later. ${workers(numbers.backlog_workers)} are needed to serve them in time.`,
    `Forecast peak of the next 30 minutes: ${workers(numbers.planned_workers)} busy. ${workers(numbers.planned_workers / peakShare)} are needed.${forecastText(numbers)}`,
    ...(numbers.plan_trusted
      ? []
      : [
          `Peak of the last 30 minutes: ${workers(numbers.recent_peak_workers)} busy. Servers for it are kept.`,
        ]),
    `In total, ${workers(numbers.need_workers)} are needed and ${numbers.serving_workers} are in service.${complete ? '' : ' Not all numbers are known yet.'}`,
  ];
}

function forecastText({
  plan_error: error,
  plan_trusted: isTrusted,
}: Pick<Explained['numbers'], 'plan_error' | 'plan_trusted'>): string {
  if (isTrusted) return '';
  if (error === null) return ' Too few runs are known for a reliable forecast.';
  return ` The forecast is not used: it was wrong by ${Math.round(error * 100)} % lately.`;
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
