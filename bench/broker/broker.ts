/**
 * A broker with thousands of agents.
 *
 * `npm run bench -- broker [AGENTS ...]`: for each number a broker in a process of its own, that many connections (TLS 1.2, each
 * agent with a certificate of its own, RSA keys of 2048 bits, full handshakes), then: resident memory of each connection, processor
 * time of a handshake and of an idle connection, and a PXP ping to all with its answers.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyPair } from '../../src/platform/x509/index.ts';
import { processUse } from '../process-use.ts';
import type { AgentOrder, AgentOutcome } from './agent-process.ts';
import { BenchAuthority, type Issued } from './bench-authority.ts';
import type { FromBroker, ToBroker } from './broker-process.ts';

const usualSizes = [2000, 5000, 10_000];
/** High enough that the processor is what limits. */
const connectionsPerSecond = 5000;
const idleSeconds = 20;
const settleMs = 3000;

export async function measureBroker(sizes: readonly number[]): Promise<void> {
  const wanted = sizes.length === 0 ? usualSizes : sizes;
  const authority = await BenchAuthority.create();
  const server = await authority.issue(
    'localhost',
    await createKeyPair({ kind: 'ec', curve: 'P-256' }),
    'DNS:localhost',
  );
  const keys = await createKeyPair({ kind: 'rsa', bits: 2048 });
  const agents = await Promise.all(
    Array.from({ length: Math.max(...wanted) }, (_, index) => authority.issue(`agent${index}.test`, keys)),
  );
  for (const size of wanted) await measure(authority, server, agents.slice(0, size));
}

async function measure(authority: BenchAuthority, server: Issued, agents: readonly Issued[]): Promise<void> {
  const broker = fork(new URL('./broker-process.ts', import.meta.url));
  const fleet = fork(new URL('./agent-process.ts', import.meta.url));
  try {
    const tls = { ...server, ca: authority.certificate };
    const port = await ask(broker, { kind: 'start', order: { tls, connectionsPerSecond } });
    // The first few make the engine compile what all of them use.
    const [early, late] = [agents.slice(0, 200), agents.slice(200)];
    await connectAll(fleet, { port, ca: authority.certificate, agents: early });
    await sleep(settleMs);
    const before = useOf(broker);
    const beganMs = performance.now();
    const failed = await connectAll(fleet, { port, ca: authority.certificate, agents: late });
    const tookMs = performance.now() - beganMs;
    while ((await ask(broker, { kind: 'count' })) < agents.length - failed) await sleep(100);
    const after = useOf(broker);
    await sleep(settleMs);
    const idleFrom = useOf(broker);
    await sleep(idleSeconds * 1000);
    const idleTo = useOf(broker);
    const pings = [];
    for (let round = 0; round < 3; round += 1) pings.push(await ask(broker, { kind: 'ping all' }));
    const pinged = useOf(broker);
    const kilobytes = ((idleTo.residentMiB - before.residentMiB) * 1024) / late.length;
    console.log(
      [
        `${agents.length} agents (${failed} failed)`,
        `${Math.round(idleTo.residentMiB)} MiB resident, ${kilobytes.toFixed(1)} KiB each`,
        `${(((after.cpuSeconds - before.cpuSeconds) * 1000) / late.length).toFixed(2)} ms of the processor a handshake, ${Math.round((late.length / tookMs) * 1000)} a second beside their clients`,
        `idle: ${(((idleTo.cpuSeconds - idleFrom.cpuSeconds) / idleSeconds) * 100).toFixed(1)} % of a core for all`,
        `ping to all: ${pings.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(', ')}; ${(((pinged.cpuSeconds - idleTo.cpuSeconds) * 1000) / agents.length / 3).toFixed(2)} ms of the processor each`,
      ].join('\n  '),
    );
  } finally {
    broker.kill();
    fleet.kill();
  }
}

function useOf({ pid = 0 }: ChildProcess): ReturnType<typeof processUse> {
  return processUse(pid);
}

async function ask(broker: ChildProcess, message: ToBroker): Promise<number> {
  const answered = once(broker, 'message');
  broker.send(message);
  const [{ value }] = (await answered) as [FromBroker];
  return value;
}

/** @returns how many could not connect */
async function connectAll(
  fleet: ChildProcess,
  order: Pick<AgentOrder, 'port' | 'ca' | 'agents'>,
): Promise<number> {
  const answered = once(fleet, 'message');
  fleet.send({ ...order, atOnce: 100, tries: 1 } satisfies AgentOrder);
  const [{ failed }] = (await answered) as [AgentOutcome];
  return failed;
}
