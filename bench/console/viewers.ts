/** How much the primary does for people who have the console open while reports arrive. */

import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../figures.ts';
import { processUse } from '../process-use.ts';
import { budget } from './budgets.ts';
import { type ConsolePrimary, viewers } from './console-primary.ts';
import { sendReports } from './report-load.ts';
import { logInByForm, send } from './session-client.ts';

const viewerCount = 50;
const activeCount = 5;
const runsPerSecond = 30;
const turnMs = 30_000;
const turns = 4;
/** When the overview asks for its lists again after a change: `slowMs` and others in `console/src/app/live-provider.tsx`. */
const calmMs = 10_000;
const delayMs = 2500;
const spreadMs = 4000;
/** Those who are active open the next page of a list so often. */
const activeMs = 2000;
const mostCpuPercent = 5;
const mostMiB = 25;
const mostSlowerPercent = 3;

interface Turn {
  readonly cpu: number;
  readonly residentMiB: number;
  readonly reportP95Ms: number;
}

/** Takes turns without and with viewers, because other work on the machine comes and goes. */
export async function measureViewers(primary: ConsolePrimary, nodes: number): Promise<void> {
  const load = sendReports(primary, { nodes, perSecond: runsPerSecond, hasFacts: true });
  const sessions = await Promise.all(viewers.map((login) => logInByForm(primary.origin, login)));
  const results: Record<'without' | 'with', Turn[]> = { without: [], with: [] };
  try {
    await sleep(5000);
    for (let turn = 0; turn < turns * 2; turn++) {
      const hasViewers = turn % 2 === 1;
      const people = hasViewers ? openViewers(primary.origin, sessions) : [];
      await sleep(3000);
      results[hasViewers ? 'with' : 'without'].push(await measureTurn(primary.pid, load.take));
      for (const each of people) each.close();
      if (hasViewers)
        console.log(`${people.reduce((sum, { asked }) => sum + asked(), 0)} requests of viewers`);
    }
  } finally {
    await load.stop();
  }
  report(results);
}

async function measureTurn(pid: number, take: () => Promise<readonly number[]>): Promise<Turn> {
  await take();
  const before = processUse(pid);
  await sleep(turnMs);
  const after = processUse(pid);
  return {
    cpu: (after.cpuSeconds - before.cpuSeconds) / (turnMs / 1000),
    residentMiB: after.residentMiB,
    reportP95Ms: quantile(await take(), 0.95),
  };
}

function report({ with: withThem, without }: Readonly<Record<'without' | 'with', readonly Turn[]>>): void {
  const middle = (measured: readonly Turn[], value: (turn: Turn) => number) =>
    quantile(measured.map(value), 0.5);
  for (const [name, measured] of [
    ['without viewers', without],
    [`with ${viewerCount} viewers, ${activeCount} active`, withThem],
  ] as const) {
    const cpu = measured.map((each) => `${(each.cpu * 100).toFixed(1)} %`).join(', ');
    const report95 = middle(measured, ({ reportP95Ms }) => reportP95Ms).toFixed(1);
    const resident = middle(measured, ({ residentMiB }) => residentMiB).toFixed(0);
    console.log(`${name}: ${cpu} of a core; ${resident} MiB; runs p95 ${report95} ms`);
  }
  const difference = (value: (turn: Turn) => number) => middle(withThem, value) - middle(without, value);
  const people = `${viewerCount} viewers, ${activeCount} active`;
  const cpu = difference((turn) => turn.cpu) * 100;
  budget({ what: `${people}: of a core`, value: cpu, most: mostCpuPercent, unit: '%' });
  const residentMiB = difference((turn) => turn.residentMiB);
  budget({ what: `${people}: memory`, value: residentMiB, most: mostMiB, unit: 'MiB' });
  const slower = difference((turn) => turn.reportP95Ms) / middle(without, (turn) => turn.reportP95Ms);
  budget({
    what: `${people}: p95 of agents longer by`,
    value: slower * 100,
    most: mostSlowerPercent,
    unit: '%',
  });
}

interface Viewer {
  /** How many requests it has sent. */
  readonly asked: () => number;
  close(): void;
}

function openViewers(origin: string, sessions: readonly string[]): readonly Viewer[] {
  return Array.from({ length: viewerCount }, (_, index) =>
    openViewer(origin, sessions[index % sessions.length] ?? '', index < activeCount),
  );
}

/** Has the overview open, and does what the page does when it is told of a change. */
function openViewer(origin: string, cookie: string, isActive: boolean): Viewer {
  const ending = new AbortController();
  const { signal } = ending;
  let asked = 0;
  const ask = (method: string, path: string, body?: unknown) => {
    asked++;
    void send(origin, { method, path, cookie, body, signal }).then(text, ignoreEnd).catch(ignoreEnd);
  };
  const refresh = calmly(() => overviewRequests.forEach(([method, path, body]) => ask(method, path, body)));
  void send(origin, { method: 'GET', path: '/console-api/v1/events?topics=fleet', cookie, signal }, true)
    .then((stream) => {
      stream.on('error', ignoreEnd);
      stream.setEncoding('utf8').on('data', (part: string) => {
        if (part.includes('event: change')) refresh();
      });
    })
    .catch(ignoreEnd);
  const timer = isActive
    ? setInterval(() => ask('POST', '/console-api/v1/nodes/query', { q: 'web', limit: 100 }), activeMs)
    : undefined;
  return {
    asked: () => asked,
    close() {
      clearInterval(timer);
      ending.abort();
    },
  };
}

/** What the overview asks again after a change of the topic `fleet`, whose event has the counts. */
const overviewRequests: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/console-api/v1/events/query', { by: 'message', status: 'failed', latest: true, limit: 5 }],
  ['GET', '/console-api/v1/overview/runs'],
  ['GET', '/console-api/v1/overview/last-runs'],
];

/** As `calmly` of `console/src/app/live-provider.tsx` does it for what may be a little older. */
function calmly(act: () => void): () => void {
  let isWaiting = false;
  let hasMore = false;
  const begin = () => {
    setTimeout(act, delayMs + Math.random() * spreadMs);
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      if (hasMore) begin();
      hasMore = false;
    }, calmMs);
  };
  return () => {
    if (isWaiting) hasMore = true;
    else begin();
  };
}

/** A turn ends while requests are on their way. */
function ignoreEnd(error: Error): void {
  if (error.name !== 'AbortError' && (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
}
