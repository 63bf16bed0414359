/** The demo of compile servers that come and go: a load that rises and falls, shown live. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { administratorPassword } from './administrator-password.ts';
import { CatalogLoad, loadManifest } from './catalog-load.ts';
import { Installation } from './installation.ts';
import { freePort } from './ports.ts';

/** Half an hour of the autoscaler passes in a minute and a half. */
const timeLapse = 20;
const mostServers = 5;
/** All nodes together keep 4.5 workers busy; a server has two. */
const [loadNodes, loadIntervalMs, catalogSeconds] = [18, 8000, 2];
/** For how long, and which share of the nodes asks then. */
const phases = [
  { seconds: 60, share: 0.15, what: 'quiet' },
  { seconds: 120, share: 1, what: 'busy' },
  { seconds: 240, share: 0.15, what: 'quiet again' },
] as const;
const showMs = 1000;

interface Status {
  readonly complete: boolean;
  readonly numbers: {
    readonly capacity_used: number;
    readonly need_workers: number;
    readonly serving_workers: number;
  };
  readonly advice: { readonly wanted: number; readonly holds: readonly { readonly kind: string }[] };
  readonly members: readonly { readonly certname: string; readonly state: string; readonly cause: string }[];
}

export async function runAutoscaleDemo(
  directory: string,
  project: string,
  stopping: AbortSignal,
): Promise<void> {
  const installation = await prepareInstallation(directory, project);
  const { ports } = installation.options;
  console.log('Starting a primary, HAProxy, and the first compile server, which the primary launches ...');
  try {
    await installation.start();
    const data = installation.primaryDirectory;
    await installation.bunraku(['autoscaler', 'set', '--max', String(mostServers), '--data', data]);
    console.log(`
The console:            https://localhost:${ports.console}, login admin, password ${await administratorPassword(installation)}
The same in words:      ${join(project, 'bin', 'bunraku')} autoscaler status --data ${data}
What became of servers: ${join(project, 'bin', 'bunraku')} autoscaler history --data ${data}

The clock of the autoscaler goes ${timeLapse} times faster than usual. Stop with Ctrl-C.
`);
    const load = await CatalogLoad.prepare({
      installation,
      directory: join(directory, 'load'),
      domain: 'demo',
      nodes: loadNodes,
      intervalMs: loadIntervalMs,
    });
    load.active = 0;
    load.start();
    await showUntil(installation, load, stopping);
    await load.stop();
  } finally {
    console.log('\nStopping ...');
    await installation.stop();
  }
}

async function prepareInstallation(directory: string, project: string): Promise<Installation> {
  const [primary, balancer, puppetDb, consoleServices, console, orchestrator, local] = await Promise.all(
    Array.from({ length: 7 }, () => freePort()),
  );
  const port = (value: number | undefined) => value ?? 0;
  const installation = new Installation({
    directory,
    project,
    node: process.execPath,
    isAutoscaled: true,
    ports: {
      primary: port(primary),
      compileServers: [],
      balancer: port(balancer),
      puppetDb: port(puppetDb),
      consoleServices: port(consoleServices),
      console: port(console),
    },
    controlRepository: join(project, 'examples', 'control-repo'),
    autosign: ['*.demo'],
    settings: {
      orchestrator_port: port(orchestrator),
      autoscaler_driver: 'local',
      autoscaler_time_lapse: timeLapse,
      autoscaler_local_port: port(local),
      autoscaler_local_settings: 'compile_workers=2,drain_delay=1s,max_retry_delay=20s',
      autoscaler_local_grace: '5s',
    },
  });
  installation.stage();
  writeFileSync(join(installation.stagedEnvironment, 'manifests', 'load.pp'), loadManifest(catalogSeconds));
  return installation;
}

async function showUntil(
  installation: Installation,
  load: CatalogLoad,
  stopping: AbortSignal,
): Promise<void> {
  const client = installation.operator();
  const started = performance.now();
  let last = '';
  while (!stopping.aborted) {
    const seconds = (performance.now() - started) / 1000;
    const { share, what } = phaseAt(seconds);
    load.active = Math.round(share * loadNodes);
    try {
      const url = `${installation.primaryUrl}/autoscaler/v1/status`;
      const { body } = await client.send({ method: 'GET', url, timeoutMs: 5000 });
      const lines = renderStatus(JSON.parse(body.toString('utf8')) as Status, load, what);
      if (process.stdout.isTTY) process.stdout.write(`${last === '' ? '' : clearOf(last)}${lines}\n`);
      else if (withoutNumbers(lines) !== withoutNumbers(last))
        console.log(`${Math.round(seconds)} s\n${lines}\n`);
      last = lines;
    } catch (error) {
      if (!stopping.aborted) console.error(`The primary does not answer: ${(error as Error).message}`);
    }
    await sleep(showMs, undefined, { signal: stopping }).catch(() => {
      // Stopped: the loop sees that.
    });
  }
  client.close();
}

function phaseAt(seconds: number): (typeof phases)[number] {
  let left = seconds % phases.reduce((sum, phase) => sum + phase.seconds, 0);
  for (const phase of phases) {
    if (left < phase.seconds) return phase;
    left -= phase.seconds;
  }
  return phases[0];
}

function renderStatus({ advice, members, numbers }: Status, load: CatalogLoad, what: string): string {
  const width = Math.max(0, ...members.map(({ certname }) => certname.length));
  const holds = advice.holds.map(({ kind }) => kind).join(', ');
  const answers = Array.from(load.answers, ([status, count]) => `${count} times ${status}`).join(', ');
  return [
    `Load: ${what}, ${load.active} of ${loadNodes} nodes ask; answers: ${answers === '' ? 'none yet' : answers}`,
    `Workers: ${numbers.need_workers.toFixed(1)} needed, ${numbers.serving_workers} serve; capacity used ${Math.round(numbers.capacity_used)} %`,
    `Servers: ${advice.wanted} wanted${holds === '' ? '' : `, held by ${holds}`}`,
    ...members.map(
      ({ cause, certname, state }) => `  ${certname.padEnd(width)}  ${state.padEnd(10)}  ${cause}`,
    ),
  ].join('\n');
}

/** Without a terminal, a line is printed only when the state of a server changes. */
function withoutNumbers(lines: string): string {
  return lines
    .split('\n')
    .filter((line) => line.startsWith('Servers:') || line.startsWith('  '))
    .join('\n');
}

/** Moves the cursor of a terminal to where these lines begin, and clears what stands there. */
function clearOf(lines: string): string {
  return `\u001B[${lines.split('\n').length}A\u001B[J`;
}
