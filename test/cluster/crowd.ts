/**
 * Many simulated agents in their run loops: `node crowd.ts URL DIRECTORY AGENTS INTERVAL_MS`. Prints a line of JSON for each
 * run; SIGTERM ends it after the runs that are under way.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SimulatedAgent } from '../../demo/simulated-agent.ts';
import { simulatedFacts } from '../../demo/simulated-facts.ts';
import { createLogger } from '../../src/platform/log/index.ts';
import { type CrowdRun, steadyMs } from './agent-run.ts';
import { CrowdClient } from './crowd-client.ts';
import { versionOfRun } from './versioned-site.ts';

/** Agents that make their keys and get their certificates at the same time. */
const enrolling = 4;

const [url = '', directory = '', agents = '1', intervalMs = '60000'] = process.argv.slice(2);
const stopping = new AbortController();
process.on('SIGTERM', () => stopping.abort());
const members = Array.from({ length: Number(agents) }, (_, index) => createMember(index));
const waiting = [...members];
await Promise.all(
  Array.from({ length: enrolling }, async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next.agent.enrol();
  }),
);
print({ enrolled: members.length });
await Promise.all(
  members.map((member, index) => loop(member, (index * Number(intervalMs)) / members.length)),
);

interface Member {
  readonly certname: string;
  readonly agent: SimulatedAgent;
  client: CrowdClient | undefined;
}

function createMember(index: number): Member {
  const certname = `node${String(index + 1).padStart(3, '0')}.fleet.test`;
  const agent = new SimulatedAgent({
    certname,
    sslDir: join(directory, certname, 'ssl'),
    serverUrl: url,
    environment: 'production',
    facts: simulatedFacts(certname, index),
    log: createLogger({ level: 'error', format: 'text' }),
    // A run that is under way ends in peace.
    signal: new AbortController().signal,
    key: { kind: 'ec', curve: 'P-256' },
    createClient: (credentials) => {
      member.client = new CrowdClient(credentials);
      return member.client;
    },
  });
  const member: Member = { certname, agent, client: undefined };
  return member;
}

/** A run each interval, at its own time. */
async function loop(member: Member, delayMs: number): Promise<void> {
  await pause(delayMs);
  while (!stopping.signal.aborted) {
    const record = await runOnce(member);
    print(record);
    await pause(Math.max(0, Number(intervalMs) - record.tookMs));
  }
}

async function runOnce(member: Member): Promise<CrowdRun> {
  const began = steadyMs();
  const record = { certname: member.certname, kind: 'simulated' as const };
  const end = () => {
    const endedAtMs = steadyMs();
    return { endedAtMs, tookMs: endedAtMs - began, putOff: member.client?.putOff ?? 0 };
  };
  try {
    const result = await member.agent.run();
    return { ...record, ...end(), version: versionOfRun(result), transactionUuid: result.transactionUuid };
  } catch (error) {
    const server = member.client?.server;
    return { ...record, ...end(), failure: String(error), ...(server === undefined ? {} : { server }) };
  } finally {
    member.agent.disconnect();
  }
}

async function pause(milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {
    // stopped: the loop sees that
  });
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
