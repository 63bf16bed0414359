/** `bunraku autoscaler simulate` */

import {
  type ControllerName,
  controllerNames,
  type Outcome,
  type SimulatedDay,
  scenarios,
  simulateDay,
} from '../../services/autoscaler/simulation/index.ts';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { type CommandLine, lastOf, readCommandLine, refuseWords } from '../own-options.ts';
import { tableLines } from '../text-table.ts';

/** Options that are numbers, with their defaults and what they may be. */
const numbers = {
  '--nodes': [50_000, 1, 200_000],
  '--hours': [24, 1, 168],
  '--run-interval': [1800, 60, 86_400],
  '--compile-ms': [300, 1, 60_000],
  '--workers': [2, 1, 1024],
  '--target': [0.6, 0.1, 0.9],
  '--min': [2, 0, 1000],
  '--max': [60, 1, 1000],
  '--retry-delay': [240, 1, 86_400],
  '--seed': [1, 0, 2 ** 32 - 1],
} as const satisfies Readonly<Record<string, readonly [number, number, number]>>;

type NumberOption = keyof typeof numbers;

export const autoscalerSimulateCommand: Command = {
  name: 'autoscaler simulate',
  summary: 'Show what the autoscaler would do with a fleet, in virtual time',
  usage: `
Usage: bunraku autoscaler simulate [--scenario NAME ...] [--controller NAME ...] [--OPTION NUMBER ...] [--minutes]
                                   [--format text|json] [--SETTING VALUE ...]

Lets a day pass for a fleet whose servers admit requests and measure them as real ones do; only compiling is simulated. Prints
for each scenario how late runs were, how many servers it took and which bounds were broken. Ends with 1 when the rule broke one.

  --scenario NAME      ${scenarios.map(({ name }) => name).join(', ')} (default: all)
  --controller NAME    rule: the autoscaler's own rule; group: a group of AWS that tracks the capacity used; hpa: the Horizontal
                       Pod Autoscaler with the demand; cpu: a group that tracks processor time alone (default: rule and cpu)
  --nodes N            Nodes (default ${numbers['--nodes'][0]})
  --hours N            How long (default ${numbers['--hours'][0]})
  --run-interval N     Seconds between two runs of a node (default ${numbers['--run-interval'][0]})
  --compile-ms N       What a catalog takes a worker, on average (default ${numbers['--compile-ms'][0]})
  --workers N          Workers of a server (default ${numbers['--workers'][0]})
  --target N           The share of the capacity that steady load is to use (default ${numbers['--target'][0]})
  --min N, --max N     The least and the most servers (default ${numbers['--min'][0]} and ${numbers['--max'][0]})
  --retry-delay N      The longest Retry-After in seconds: the setting max_retry_delay (default ${numbers['--retry-delay'][0]})
  --seed N             For other random numbers; the same ones give the same result (default ${numbers['--seed'][0]})
  --minutes            Print the numbers of each minute as CSV instead
`,
  async run(args, io) {
    const withValue = ['--scenario', '--controller', '--format', ...Object.keys(numbers)];
    const line = readCommandLine(args, { withValue, flags: ['--minutes'] });
    refuseWords(line.positional);
    const format = outputFormat(line);
    const chosen =
      choose(
        line,
        '--scenario',
        scenarios.map(({ name }) => name),
      ) ?? undefined;
    const controllers = (choose(line, '--controller', controllerNames) ?? [
      'rule',
      'cpu',
    ]) as ControllerName[];
    const days: Day[] = [];
    for (const scenario of scenarios) {
      if (chosen !== undefined && !chosen.includes(scenario.name)) continue;
      for (const controller of controllers) {
        if (io.signal.aborted) return 1;
        const simulated = simulateDay(scenario, controller, dayOptions(line, io));
        const day = { scenario: scenario.name, controller, ...simulated };
        days.push(day);
        if (format === 'text' && !line.flags.has('--minutes')) io.stdout(renderDay(day, scenario.summary));
      }
    }
    if (format === 'json') io.stdout(renderJson(days.map(wireDay)));
    return days.some(({ brokenBounds, controller }) => controller === 'rule' && brokenBounds.length > 0)
      ? 1
      : 0;
  },
};

interface Day extends SimulatedDay {
  readonly scenario: string;
  readonly controller: ControllerName;
}

function choose(line: CommandLine, option: string, known: readonly string[]): readonly string[] | undefined {
  const given = line.values.get(option);
  const unknown = given?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`${option} is one of ${known.join(', ')}, not '${unknown}'`);
  return given;
}

function dayOptions(line: CommandLine, io: CommandIo): Parameters<typeof simulateDay>[2] {
  const options = {
    nodes: numberOf(line, '--nodes'),
    hours: numberOf(line, '--hours'),
    runIntervalMs: numberOf(line, '--run-interval') * 1000,
    compileMs: numberOf(line, '--compile-ms'),
    workers: numberOf(line, '--workers'),
    target: numberOf(line, '--target'),
    min: numberOf(line, '--min'),
    max: numberOf(line, '--max'),
    maxRetryDelaySeconds: numberOf(line, '--retry-delay'),
    seed: numberOf(line, '--seed'),
    herdToleranceSeconds: line.settings.herdToleranceSeconds,
  };
  if (options.min > options.max) throw new UsageError('--min is more than --max');
  if (!line.flags.has('--minutes')) return options;
  let minute = 0;
  io.stdout('minute,offered,work,backlog,planned,trusted,need,serving_workers,servers,actions\n');
  return {
    ...options,
    onMinute({ actions, capacity, offered, servers }, { backlog, isPlanTrusted, need, planned, work }) {
      minute += 1;
      const workers = [offered / 60, work, backlog, planned].map((value) => value.toFixed(2));
      io.stdout(
        `${[minute, ...workers, isPlanTrusted, need.toFixed(2), capacity, servers, actions].join(',')}\n`,
      );
    },
  };
}

/** @throws UsageError for what is no number, too small or too large */
function numberOf(line: CommandLine, option: NumberOption): number {
  const [usual, least, most] = numbers[option];
  const text = lastOf(line, option);
  if (text === undefined) return usual;
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${option} is a number from ${least} to ${most}, not '${text}'`);
}

function renderDay(
  { brokenBounds, controller, outcome, processorSeconds, scenario }: Day,
  summary: string,
): string {
  const rows = [
    {
      SCENARIO: scenario,
      CONTROLLER: controller,
      ...figuresOf(outcome),
      'CPU SECONDS': processorSeconds.toFixed(1),
    },
  ];
  const bounds = brokenBounds.map((bound) => `  bound broken: ${bound}`);
  return [summary, ...tableLines(rows), ...bounds, ''].join('\n').concat('\n');
}

function figuresOf(outcome: Outcome) {
  return {
    RUNS: outcome.runs,
    FAILED: outcome.failedRuns,
    'LATEST S': Math.round(outcome.longestWaitSeconds),
    '99 % WITHIN S': outcome.highWaitSeconds,
    LATE: outcome.lateRuns,
    'MOST SERVERS': outcome.mostServers,
    'SERVER-HOURS': outcome.serverHours.toFixed(1),
    IDEAL: outcome.idealServerHours.toFixed(1),
    ACTIONS: outcome.actions,
    'IN BAND': `${Math.round(outcome.shareInBand * 100)} %`,
  };
}

function wireDay({ brokenBounds, controller, outcome, processorSeconds, scenario }: Day) {
  return {
    scenario,
    controller,
    runs: outcome.runs,
    failed_runs: outcome.failedRuns,
    retries: outcome.retries,
    latest_seconds: outcome.longestWaitSeconds,
    high_wait_seconds: outcome.highWaitSeconds,
    late_runs: outcome.lateRuns,
    most_servers: outcome.mostServers,
    server_hours: outcome.serverHours,
    ideal_server_hours: outcome.idealServerHours,
    actions: outcome.actions,
    most_actions_in_steady_hour: outcome.mostActionsInSteadyHour,
    share_in_band: outcome.shareInBand,
    has_reached_max: outcome.hasReachedMax,
    broken_bounds: brokenBounds,
    processor_seconds: processorSeconds,
  };
}
