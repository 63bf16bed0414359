/** The demo: everything on one machine, with the line that makes the machine's real agent its next node. */

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfChanged } from '../scripts/bundle.ts';
import { ensurePackages, git, haproxy, isPresent, puppetAgent } from '../scripts/debian-packages.ts';
import { createLogger } from '../src/platform/log/index.ts';
import { administratorPassword } from './administrator-password.ts';
import { runAutoscaleDemo } from './autoscale-demo.ts';
import { writePxpConfiguration } from './demo-agent.ts';
import { startDemoJobs } from './demo-jobs.ts';
import { Installation } from './installation.ts';
import { freePort, isFree } from './ports.ts';
import { simulateFleet } from './simulated-fleet.ts';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
/** High enough to need no rights, far enough from 8140 to disturb no other server; the same each time, unless one is taken. */
const usualPorts = {
  primary: 18_140,
  compileServers: [18_141, 18_142],
  balancer: 18_150,
  puppetDb: 18_081,
  consoleServices: 18_433,
  console: 18_443,
  orchestrator: 18_143,
  brokers: [18_152, 18_153, 18_154],
};
type Ports = typeof usualPorts;
const agentCertname = 'agent.demo';
const simulatedNodes = 10;
const simulatedRunIntervalMs = 30_000;

export interface DemoOptions {
  /** Where everything is kept; what is there from an earlier time is used again. */
  readonly directory?: string | undefined;
  /** Whether the primary launches and ends compile servers, by a load that rises and falls. */
  readonly isAutoscaled?: boolean;
}

export async function runDemo({ isAutoscaled = false, ...options }: DemoOptions = {}): Promise<number> {
  const directory = options.directory ?? join(project, isAutoscaled ? '.demo-autoscale' : '.demo');
  const missing = ensurePackages([git, haproxy, puppetAgent]);
  const needed = missing.filter((entry) => entry !== puppetAgent);
  if (needed.length > 0) {
    for (const entry of needed)
      console.error(`Needed: ${entry.name} (${entry.purpose}). apt-get install ${entry.name}`);
    return 1;
  }
  await buildIfChanged();
  const stopping = stopOnSignals();
  if (isAutoscaled) {
    await runAutoscaleDemo(directory, project, stopping);
    return 0;
  }
  const ports = await choosePorts();
  const installation = createInstallation(directory, ports);
  const log = createLogger({ level: 'warn', format: 'text' });
  console.log('Starting a primary, two compile servers and HAProxy ...');
  try {
    await installation.start();
    console.log(explain(installation, ports, await administratorPassword(installation)));
    // Not waited for: when the demo stops, so does what these jobs wait for.
    startDemoJobs(installation, simulatedNodes, stopping).catch((err: unknown) => {
      if (!stopping.aborted) log.warn({ err }, 'the jobs of the demo could not be started');
    });
    await simulateFleet({
      nodes: simulatedNodes,
      domain: 'fleet.demo',
      serverUrl: installation.balancerUrl,
      directory: join(directory, 'fleet'),
      runIntervalMs: simulatedRunIntervalMs,
      brokerPorts: ports.brokers.slice(1),
      log,
      signal: stopping,
    });
  } finally {
    console.log('\nStopping ...');
    await installation.stop();
  }
  return 0;
}

async function choosePorts(): Promise<Ports> {
  const isUsual = await Promise.all(
    Object.values(usualPorts)
      .flat()
      .map((port) => isFree(port)),
  );
  if (isUsual.every(Boolean)) return usualPorts;
  return {
    primary: await freePort(),
    compileServers: [await freePort(), await freePort()],
    balancer: await freePort(),
    puppetDb: await freePort(),
    consoleServices: await freePort(),
    console: await freePort(),
    orchestrator: await freePort(),
    brokers: [await freePort(), await freePort(), await freePort()],
  };
}

function createInstallation(directory: string, ports: Ports): Installation {
  return new Installation({
    directory,
    project,
    node: process.execPath,
    ports,
    controlRepository: join(project, 'examples', 'control-repo'),
    autosign: ['*.demo'],
    // Compile servers connect to the orchestrator of the primary, on the same port.
    settings: { orchestrator_port: ports.orchestrator },
  });
}

function explain(installation: Installation, ports: Ports, password: string): string {
  const { directory } = installation.options;
  const agentDirectory = join(directory, 'agent');
  // Each place by itself: Debian's agent keeps its certificates outside of its other directories.
  const places = ['conf', 'var', 'ssl', 'public', 'log', 'run'].map(
    (name) => `--${name}dir ${agentDirectory}/${name}`,
  );
  const options =
    `--server localhost --serverport ${ports.balancer} --certname ${agentCertname} ` + places.join(' ');
  const agent = `puppet agent --test ${options}`;
  const pxpConfiguration = writePxpConfiguration({
    certname: agentCertname,
    directory: agentDirectory,
    options,
    brokerPorts: ports.brokers.slice(1),
    serverUrl: installation.balancerUrl,
  });
  const hint = isPresent(puppetAgent)
    ? ''
    : '\n  (needs the Debian package puppet-agent, which is not installed)';
  const bunraku = join(project, 'bin', 'bunraku');
  const data = `--data ${installation.primaryDirectory}`;
  return `
Look at it in a browser, which will ask once whether to trust the certificate:
  https://localhost:${ports.console}
  login admin, password ${password}

Running:
  primary           ${installation.primaryUrl}
  its console       https://localhost:${ports.console}
  its PuppetDB      https://localhost:${ports.puppetDb}
  users             https://localhost:${ports.consoleServices}
  compile servers   ${ports.compileServers.map((_, index) => installation.compileServerUrl(index)).join('  ')}
  HAProxy           ${installation.balancerUrl}
  simulated fleet   ${simulatedNodes} nodes, a run every ${simulatedRunIntervalMs / 1000} s each

Make this machine's agent the next node:${hint}
  ${agent}

Let the orchestrator reach it, and run Puppet on it from here:
  ${join(project, 'agent', 'bin', 'start')} --foreground --config-file ${pxpConfiguration}
  ${bunraku} job run --nodes ${agentCertname} ${data}

Change some code and make it live on both compile servers:
  edit ${installation.stagedEnvironment}
  ${bunraku} code deploy --wait ${data}

Look at the servers, and ask for what nodes sent:
  ${bunraku} infrastructure status ${data}
  ${bunraku} query ${data} 'nodes[certname, latest_report_status, report_timestamp]{}'

Logs are in ${join(directory, 'log')}. Ctrl-C ends everything; 'npm run demo' continues where it was;
to begin anew, remove ${directory}.`;
}

/** Aborts on signals, and when what has started the demo is gone: what runs below it would stay. */
function stopOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort());
  // The reader of our output may end first; the servers still have to be stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => controller.abort());
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) controller.abort();
  }, 500);
  watch.unref();
  return controller.signal;
}
