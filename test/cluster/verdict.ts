/** What happened, as a table, and whether it was what should have. */

import { type AgentRunRecord, saysLostConnection } from './agent-run.ts';
import type { Deploy } from './cluster.ts';

export interface ClusterEvent {
  readonly what: string;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly ended: number;
}

export interface NumberedDeploy extends Deploy {
  readonly version: number;
  readonly began: number;
}

export interface Kill {
  readonly host: string;
  readonly at: number;
  /** When its process was gone: until then the system takes connections for it, and resets them. */
  readonly gone?: number;
}

/** A server that could not write for a while: what it refuses then, it refuses rightly. */
export interface Hindrance {
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly ended: number;
}

/** Requests that were in flight when a server was killed fail at once, as far as the machine gets to it. */
const inFlightMs = 10_000;
/** What a real agent says because of a request that failed, and not of another one. */
const consequence =
  /^(Warning: Not using cache on failed catalog|Error: Could not retrieve catalog; skipping run|Warning: .*Skipping because of failed dependencies)/;

export interface Verdict {
  readonly lines: readonly string[];
  /** What should not have been. */
  readonly faults: readonly string[];
}

/** All that happened. */
export interface ClusterHistory {
  readonly runs: readonly AgentRunRecord[];
  readonly events: readonly ClusterEvent[];
  readonly deploys: readonly NumberedDeploy[];
  readonly kills: readonly Kill[];
  readonly hindrances?: readonly Hindrance[];
}

export function judgeCluster(history: ClusterHistory): Verdict {
  const { deploys, events, hindrances = [], kills, runs } = history;
  const began = Math.min(...runs.map((run) => run.began), ...events.map((event) => event.began));
  const failed = runs.filter((run) => run.failure !== undefined);
  const isExcused = (run: AgentRunRecord) =>
    kills.some((kill) => wasInFlight(run, kill)) ||
    hindrances.some((hindrance) => wasRefused(run, hindrance) || wasInFlight(run, takenOut(hindrance)));
  const unexcused = failed.filter((run) => !isExcused(run));
  return {
    lines: [
      ...renderEvents(began, history),
      '',
      ...(['simulated', 'real'] as const).map((kind) => summary(kind, runs, isExcused)),
      `deploys: ${deploys.length}; ${versionsOf(runs)} versions were seen by agents`,
      ...live(deploys),
    ],
    faults: unexcused.map(
      (run) =>
        `${seconds(run.began - began)} to ${seconds(run.ended - began)} ${run.certname} at ${run.server ?? 'nobody'}: ${run.failure}`,
    ),
  };
}

/** One request that was under way when its server was killed: not a second one of the same run, and nothing later. */
function wasInFlight(run: AgentRunRecord, { at, gone = at, host }: Kill): boolean {
  if (run.began > gone) return false;
  const isThen = (time: number) => time >= at && time <= at + inFlightMs;
  if (run.kind === 'simulated')
    return (
      saysLostConnection(run.failure ?? '') &&
      (run.server === undefined || run.server === host) &&
      isThen(run.ended)
    );
  // A real agent goes on when a plugin could not be fetched: what counts is when it said so.
  const { complaints = [] } = run;
  // The resource that wanted a file repeats what was said of the request.
  const lost = complaints.filter(
    ({ text }, index) =>
      saysLostConnection(text) && !complaints.slice(0, index).some((earlier) => repeats(text, earlier.text)),
  );
  const others = complaints.filter(({ text }) => !saysLostConnection(text));
  return (
    lost.length === 1 &&
    lost.every((one) => isThen(one.at)) &&
    others.every(({ text }) => consequence.test(text))
  );
}

/** Whether a message of a resource ends with what was said before. */
function repeats(text: string, earlier: string): boolean {
  return text.startsWith('Error: /Stage[main]/') && text.endsWith(earlier.replace(/^\w+: /, ''));
}

/** HAProxy ends the connections of a server when its health check says that it cannot write. */
function takenOut({ began, host }: Hindrance): Kill {
  return { host, at: began, gone: began + inFlightMs };
}

/** A run that the server itself refused, with an answer of its own, while it could not write. */
function wasRefused(run: AgentRunRecord, { began, ended, host }: Hindrance): boolean {
  const isAnswer = /: 5\d\d |Error 5\d\d/.test(run.failure ?? '');
  return isAnswer && (run.server ?? host) === host && run.ended >= began && run.ended <= ended;
}

function renderEvents(began: number, { deploys, events, runs }: ClusterHistory): readonly string[] {
  const rows = events.map((event, index) => {
    // What agents met until the next event counts, too: consequences come later.
    const until = events[index + 1]?.began ?? Number.POSITIVE_INFINITY;
    const meanwhile = runs.filter((run) => run.ended >= event.began && run.ended < until);
    return [
      seconds(event.began - began),
      seconds(event.ended - event.began),
      event.what,
      String(meanwhile.length),
      String(meanwhile.filter((run) => run.failure !== undefined).length),
      String(deploys.filter((deploy) => deploy.began >= event.began && deploy.began < until).length),
    ];
  });
  return align([['at', 'took', 'event', 'runs until the next', 'failed', 'deploys'], ...rows]);
}

function summary(
  kind: AgentRunRecord['kind'],
  all: readonly AgentRunRecord[],
  isExcused: (run: AgentRunRecord) => boolean,
): string {
  const runs = all.filter((run) => run.kind === kind);
  const failed = runs.filter((run) => run.failure !== undefined);
  const agents = new Set(runs.map((run) => run.certname)).size;
  const putOff = runs.reduce((sum, run) => sum + run.putOff, 0);
  return `${kind} agents: ${agents}, ${runs.length} runs, ${failed.length} failed (${failed.filter(isExcused).length} touched by a fault), asked to come back ${putOff} times; a run takes ${quantiles(runs.map((run) => run.ended - run.began))}`;
}

function versionsOf(runs: readonly AgentRunRecord[]): number {
  return new Set(runs.flatMap(({ version }) => version ?? [])).size;
}

function live(deploys: readonly NumberedDeploy[]): readonly string[] {
  const everywhere = deploys.filter((deploy) => deploy.current === deploy.servers);
  return [
    `commit to live on all servers in contact: ${quantiles(everywhere.map((deploy) => deploy.liveMs))}`,
    ...deploys
      .filter((deploy) => deploy.current !== deploy.servers)
      .map(
        ({ current, liveMs, servers, version }) =>
          `version ${version} was live on ${current} of ${servers} servers after ${Math.round(liveMs)} ms`,
      ),
  ];
}

function quantiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function align(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}
