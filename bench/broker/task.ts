/**
 * A task on thousands of nodes.
 *
 * `npm run bench -- broker-task [AGENTS [MEGABYTES]]`: a primary with a broker and the orchestrator, that many agents (5,000) which
 * answer at once, each with a result of that size (a few bytes); the time from the request to the last result, three times, the longest
 * stall of the primary's main thread meanwhile and while a client reads the results, and health checks on 8140.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../demo/ports.ts';
import type { HttpClient } from '../../src/platform/http-client/index.ts';
import { spread } from '../figures.ts';
import { withLonePrimary } from '../lone-primary.ts';
import { longestStall } from '../longest-stall.ts';
import { checkHealthElsewhere } from '../overload.ts';
import { processUse } from '../process-use.ts';
import { BenchAuthority } from './bench-authority.ts';
import { Fleet, issueFleet } from './fleet.ts';

const rounds = 3;
const pollMs = 100;
const settleMs = 3000;

export async function measureTask([agents = 5000, megabytes = 0]: readonly number[]): Promise<void> {
  const [brokerPort, jobsPort] = [await freePort(), await freePort()];
  const settings = {
    pcp_broker_port: brokerPort,
    orchestrator_port: jobsPort,
    // How fast they come is not what is measured.
    pcp_broker_connection_rate: 5000,
  };
  await withLonePrimary(settings, async ({ healthUrl, installation }) => {
    const tasks = join(installation.stagedEnvironment, 'modules', 'bench', 'tasks');
    await installation.startPrimary();
    mkdirSync(tasks, { recursive: true });
    writeFileSync(join(tasks, 'init.sh'), '#!/bin/sh\necho done\n');
    await installation.deploy();
    const ca = join(installation.primaryDirectory, 'ca');
    const read = (name: string): string => readFileSync(join(ca, name), 'utf8');
    const authority = BenchAuthority.of(read('ca_crt.pem'), read('ca_key.pem'));
    const issued = await issueFleet(authority, agents);
    const fleet = new Fleet();
    const client = installation.operator();
    try {
      const { failed } = await fleet.connect({
        port: brokerPort,
        ca: authority.certificate,
        agents: issued,
        tries: 5,
        outputBytes: megabytes * 2 ** 20,
      });
      if (failed > 0) throw new Error(`${failed} agents could not connect`);
      await sleep(settleMs);
      const url = `https://localhost:${jobsPort}/orchestrator/v1`;
      const certnames = issued.map(({ certname }) => certname);
      const { pid = 0 } = installation.primary ?? {};
      const endChecks = checkHealthElsewhere([installation.primaryUrl, healthUrl]);
      const lines: string[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const [before, beganMs] = [processUse(pid), performance.now()];
        await longestStall(client, installation.primaryUrl);
        const { job, states } = await runTask(client, url, certnames);
        const seconds = (performance.now() - beganMs) / 1000;
        const cpu = processUse(pid).cpuSeconds - before.cpuSeconds;
        const stall = await longestStall(client, installation.primaryUrl);
        const { body } = await client.send({ method: 'GET', url: `${url}/jobs/${job}/nodes` });
        const readStall = await longestStall(client, installation.primaryUrl);
        lines.push(
          `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of the processor in the primary; ${states}; longest stall ${stall} ms, ` +
            `${readStall} ms while ${(body.length / 2 ** 20).toFixed(1)} MB of results are read`,
        );
      }
      const [health = [], plainHealth = []] = await endChecks();
      lines.push(
        `health check over TLS: ${spread(health)}`,
        `health check at health_port: ${spread(plainHealth)}`,
      );
      console.log([`a task on ${agents} nodes, ${megabytes} MB each`, ...lines].join('\n  '));
    } finally {
      client.close();
      fleet.end();
    }
  });
}

/** @returns the job, and how many nodes ended in which state */
async function runTask(
  client: HttpClient,
  url: string,
  certnames: readonly string[],
): Promise<{ readonly job: string; readonly states: string }> {
  const order = { task: 'bench', params: {}, scope: { nodes: certnames } };
  const { job } = (await ask(client, 'POST', `${url}/command/task`, order)) as {
    readonly job: { readonly name: string };
  };
  for (;;) {
    const found = (await ask(client, 'GET', `${url}/jobs/${job.name}`)) as {
      readonly state: string;
      readonly node_states: Readonly<Record<string, number>>;
    };
    if (found.state === 'finished' || found.state === 'failed') {
      const counts = Object.entries(found.node_states).map(([state, count]) => `${count} ${state}`);
      return { job: job.name, states: counts.join(', ') };
    }
    await sleep(pollMs);
  }
}

async function ask(client: HttpClient, method: string, url: string, body?: object): Promise<unknown> {
  const answer = await client.send({
    method,
    url,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = answer.body.toString('utf8');
  if (answer.status >= 400) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text);
}
