/**
 * How long one agent's large facts block the main thread of a primary, by the server's own metrics, until the facts are stored.
 *
 * Part of `npm run bench -- hostile`. The server runs in a process of its own.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogRequest, enrol, requestCatalog } from './catalog-agents.ts';
import { longestStall } from './longest-stall.ts';
import { startOwnServer } from './own-server.ts';

const megabytes = [1, 4, 16];
const quietMs = 3000;

export async function measureLargeFacts(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-'));
  const server = await startOwnServer({
    directory,
    certname: 'localhost',
    settings: {},
    nodeFlags: process.env['PROF'] === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir=/tmp/prof'],
  });
  try {
    const node = {
      certname: 'large.bench.test',
      extensions: {},
      environment: 'production',
      facts: { kernel: 'Linux' },
    };
    const agent = await enrol(node, server.sslDir, server.port);
    const base = `https://localhost:${server.port}`;
    await requestCatalog(server.port, agent);
    await longestStall(agent.client, base);
    await sleep(quietMs);
    console.log(`nothing to do: longest stall ${await longestStall(agent.client, base)} ms`);
    for (const size of megabytes) {
      const facts = { ...node.facts, packages: packagesOf(size) };
      const body = catalogRequest({ ...node, facts });
      await longestStall(agent.client, base);
      const resources = await requestCatalog(server.port, { ...agent, body });
      // The catalog is stored after the answer.
      await sleep(quietMs);
      const stall = await longestStall(agent.client, base);
      console.log(`facts of ${size} MB: longest stall ${stall} ms, resources: ${resources}`);
    }
    agent.client.close();
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A custom fact with one hash per package. */
function packagesOf(size: number): Readonly<Record<string, unknown>> {
  const one = { version: '1.2.3-4+deb12u1', architecture: 'amd64', size_mb: 4096.5, source: 'main' };
  const bytes = JSON.stringify(one).length + 18;
  const count = Math.round((size * 1024 * 1024) / bytes);
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`package-${index}`, one]));
}
