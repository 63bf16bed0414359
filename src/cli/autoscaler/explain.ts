/** `bunraku autoscaler explain` */

import type { Command } from '../command.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { connectionOptions, connectionUsage, readStatus, type ScalingStatus } from './connection.ts';

export const autoscalerExplainCommand: Command = {
  name: 'autoscaler explain',
  summary: 'Explain why that many compile servers are advised, and what holds it until when',
  usage: `
Usage: bunraku autoscaler explain [--SETTING VALUE ...]

Run it on the primary, with the settings that it runs with, or with a token.

${connectionUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...connectionOptions], flags: [] });
    refuseWords(line.positional);
    io.stdout(renderExplanation(await readStatus(line)));
    return 0;
  },
};

/** What a hold of each kind means. */
const reasons: Readonly<Record<string, string>> = {
  growth: 'servers at most double, or become four more, in a minute',
  failures: 'launches failed: the next attempt waits',
  paused: 'it is paused',
  deploy: 'code was deployed: catalogs may take longer now',
  'lost-server':
    "a server has vanished or is broken, and may come back; 'bunraku infrastructure forget' removes it",
  'silent-servers': 'more than a fifth of the servers is silent',
  'primary-started': 'the primary has just started',
  missing: 'not all servers have reported their work',
  'recent-peak': 'as many servers were wanted a while ago',
  'one-a-minute': 'one server is removed in a minute',
  draining: 'other servers drain',
};

function renderExplanation({ advice, complete, nodes, numbers, settings }: ScalingStatus): string {
  const {
    backlog_workers: backlog,
    need_workers: need,
    planned_workers: planned,
    work_workers: work,
  } = numbers;
  const plan = numbers.plan_trusted
    ? 'is trusted'
    : numbers.plan_error === null
      ? 'is not known well enough yet'
      : 'is not trusted';
  const error =
    numbers.plan_error === null ? '' : `, wrong by ${Math.round(numbers.plan_error * 100)} % lately`;
  const lines = [
    `Steady load keeps ${work.toFixed(1)} workers busy: with a target of ${settings.target}, ${(work / settings.target).toFixed(1)} are needed.`,
    `${nodes.waiting} nodes were told to retry later: ${backlog.toFixed(1)} workers serve them within the tolerance.`,
    `The forecast ${plan}${error}: the highest peak to come keeps ${planned.toFixed(1)} workers busy, ${(planned / 0.85).toFixed(1)} are needed.`,
    ...(numbers.plan_trusted
      ? []
      : [
          `The highest peak of the last half hour kept ${numbers.recent_peak_workers.toFixed(1)} workers busy; servers for it stay.`,
        ]),
    `Needed: ${need.toFixed(1)} workers; ${numbers.serving_workers} serve.${complete ? '' : ' Not all numbers are known yet.'}`,
    `Wanted: ${advice.wanted} servers, of ${settings.min} to ${settings.max}; ${advice.servers} there; advised now: ${advice.advised}.`,
    ...advice.holds.map(({ kind, until }) => {
      const end = until === null ? '' : ` (until ${until})`;
      return `Held: ${reasons[kind] ?? kind}${end}.`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}
