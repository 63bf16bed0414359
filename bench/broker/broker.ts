/**
 * A broker with thousands of agents.
 *
 * `npm run bench -- broker [AGENTS ...]`: for each number a broker in a process of its own, that many connections (each agent with a
 * certificate of its own, RSA keys of 2048 bits, full handshakes), then: resident memory of each connection, processor time of a
 * handshake and of an idle connection, and a PXP ping to all with its answers.
 *
 * `npm run bench -- broker-floor [AGENTS]`: memory and handshakes in TLS 1.2 and 1.3, of the broker, of plain `ws` and of Node's TLS alone.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyPair } from '../../src/platform/x509/index.ts';
import { processUse } from '../process-use.ts';
import type { AgentOrder } from './agent-process.ts';
import { BenchAuthority, type Issued } from './bench-authority.ts';
import type { BrokerOrder, FromBroker, ToBroker } from './broker-process.ts';
import { Fleet, issueFleet } from './fleet.ts';

const usualSizes = [2000, 5000, 10_000, 15_000];
/** High enough that the processor is what limits. */
const connectionsPerSecond = 5000;
/** The first agents make the engine compile what all of them use, and the heap grow. */
const earlyAgents = 500;
const idleSeconds = 20;
const settleMs = 3000;
const pingRounds = 3;

type Subject = BrokerOrder['subject'];
type TlsVersion = NonNullable<AgentOrder['tlsVersion']>;

interface Ground {
  readonly authority: BenchAuthority;
  readonly server: Issued;
}

export async function measureBroker(sizes: readonly number[]): Promise<void> {
  const wanted = sizes.length === 0 ? usualSizes : sizes;
  const ground = await createGround();
  const agents = await issueFleet(ground.authority, Math.max(...wanted));
  for (const size of wanted) await measure(ground, agents.slice(0, size));
}

export async function compareBroker([size = 2000]: readonly number[]): Promise<void> {
  const ground = await createGround();
  const agents = await issueFleet(ground.authority, size);
  console.log(`resident memory of a connection, ${size} of them`);
  for (const tlsVersion of ['TLSv1.2', 'TLSv1.3'] as const)
    for (const subject of ['broker', 'ws', 'tls'] as const) {
      const { handshakeMs, kibibytes } = await withSubject(ground, subject, (child, port) =>
        connectAll({ child, port, ca: ground.authority.certificate, agents, tlsVersion }),
      );
      const cost = `${kibibytes.toFixed(1)} KiB, ${handshakeMs.toFixed(2)} ms of the processor a handshake`;
      console.log(`  ${tlsVersion}, ${subject}: ${cost}`);
    }
}

async function createGround(): Promise<Ground> {
  const authority = await BenchAuthority.create();
  const keys = await createKeyPair({ kind: 'ec', curve: 'P-256' });
  return { authority, server: await authority.issue('localhost', keys, 'DNS:localhost') };
}

/** @param work - gets the process and its port */
async function withSubject<T>(
  { authority, server }: Ground,
  subject: Subject,
  work: (child: ChildProcess, port: number) => Promise<T>,
): Promise<T> {
  const script = subject === 'broker' ? './broker-process.ts' : './floor-process.ts';
  const child = fork(new URL(script, import.meta.url), {
    // As the program is started (`bin/bunraku`).
    execArgv: [...process.execArgv, '--max-semi-space-size=8'],
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
  });
  try {
    const tls = { ...server, ca: authority.certificate };
    const port = await ask(child, { kind: 'start', order: { subject, tls, connectionsPerSecond } });
    return await work(child, port);
  } finally {
    child.kill();
  }
}

interface Crowd {
  readonly child: ChildProcess;
  readonly port: number;
  readonly ca: string;
  readonly agents: readonly Issued[];
  readonly tlsVersion: TlsVersion;
}

/** Connects all agents, calls `then` while they are connected, and ends them. */
async function connectAll({ agents, child, ...order }: Crowd, then?: () => Promise<void>) {
  const fleet = new Fleet();
  try {
    await fleet.connect({ ...order, agents: agents.slice(0, earlyAgents) });
    await sleep(settleMs);
    const late = agents.slice(earlyAgents);
    const [before, beganMs] = [useOf(child), performance.now()];
    const { again, failed } = await fleet.connect({ ...order, agents: late });
    const tookMs = performance.now() - beganMs;
    while ((await ask(child, { kind: 'count' })) < agents.length - failed) await sleep(100);
    const after = useOf(child);
    await sleep(settleMs);
    const settled = useOf(child);
    await then?.();
    return {
      failed,
      again,
      residentMiB: settled.residentMiB,
      kibibytes: ((settled.residentMiB - before.residentMiB) * 1024) / (late.length - failed),
      handshakeMs: ((after.cpuSeconds - before.cpuSeconds) * 1000) / (late.length - failed),
      perSecond: ((late.length - failed) / tookMs) * 1000,
    };
  } finally {
    fleet.end();
  }
}

function measure(ground: Ground, agents: readonly Issued[]): Promise<void> {
  return withSubject(ground, 'broker', async (child, port) => {
    const crowd = { child, port, ca: ground.authority.certificate, agents, tlsVersion: 'TLSv1.2' } as const;
    const rest = { idle: 0, pings: [] as number[], pingMs: 0 };
    const figures = await connectAll(crowd, async () => {
      const idleFrom = useOf(child);
      await sleep(idleSeconds * 1000);
      const idleTo = useOf(child);
      rest.idle = (idleTo.cpuSeconds - idleFrom.cpuSeconds) / idleSeconds;
      for (let round = 0; round < pingRounds; round += 1)
        rest.pings.push(await ask(child, { kind: 'ping all' }));
      rest.pingMs = ((useOf(child).cpuSeconds - idleTo.cpuSeconds) * 1000) / agents.length / pingRounds;
    });
    const { again, failed, handshakeMs, kibibytes, perSecond, residentMiB } = figures;
    console.log(
      [
        `${agents.length} agents (${again} second attempts, ${failed} failed)`,
        `${Math.round(residentMiB)} MiB resident, ${kibibytes.toFixed(1)} KiB each`,
        `${handshakeMs.toFixed(2)} ms of the processor a handshake, ${Math.round(perSecond)} a second beside their clients`,
        `idle: ${(rest.idle * 100).toFixed(1)} % of a core for all`,
        `ping to all: ${rest.pings.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(', ')}; ${rest.pingMs.toFixed(2)} ms of the processor each`,
      ].join('\n  '),
    );
  });
}

function useOf({ pid = 0 }: ChildProcess): ReturnType<typeof processUse> {
  return processUse(pid);
}

async function ask(child: ChildProcess, message: ToBroker): Promise<number> {
  const answered = once(child, 'message');
  child.send(message);
  const [{ value }] = (await answered) as [FromBroker];
  return value;
}
