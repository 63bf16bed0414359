/** Many simulated agents, each with runs at its own time. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../src/platform/log/index.ts';
import { act } from './simulated-actions.ts';
import { SimulatedAgent } from './simulated-agent.ts';
import { simulatedFacts } from './simulated-facts.ts';
import { SimulatedPxpAgent } from './simulated-pxp-agent.ts';
import type { SimulatedOutcome } from './simulated-report.ts';

export interface FleetOptions {
  readonly nodes: number;
  readonly domain: string;
  readonly serverUrl: string;
  readonly directory: string;
  readonly runIntervalMs: number;
  /** Ports of brokers on this machine; nodes connect to one after the other. */
  readonly brokerPorts: readonly number[];
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Resolves when all agents have stopped, after the signal. A run that fails is logged and tried again in time. */
export async function simulateFleet(options: FleetOptions): Promise<void> {
  await Promise.all(Array.from({ length: options.nodes }, (_, index) => simulateNode(options, index)));
}

const reconnectMs = 3000;
const pingMs = 60_000;

async function simulateNode(options: FleetOptions, index: number): Promise<void> {
  const { log, signal } = options;
  const certname = `${index % 2 === 0 ? 'web' : 'db'}${String(index + 1).padStart(2, '0')}.${options.domain}`;
  const sslDir = join(options.directory, certname, 'ssl');
  const agent = new SimulatedAgent({
    certname,
    sslDir,
    serverUrl: options.serverUrl,
    environment: 'production',
    facts: simulatedFacts(certname, index),
    outcome: (run) => outcomeOf(index, run),
    log,
    signal,
  });
  // Spread over the interval, as the agents of a real fleet are.
  await pause((options.runIntervalMs * index) / options.nodes, signal);
  const pxp = followOrders(options, { certname, index, sslDir, agent });
  while (!signal.aborted) {
    try {
      const { resources, codeId, durationMs } = await agent.run();
      log.info({ certname, resources, codeId, durationMs: Math.round(durationMs) }, 'simulated run');
    } catch (error) {
      if (!signal.aborted) log.warn({ certname, err: error }, 'simulated run failed');
    }
    await pause(options.runIntervalMs, signal);
  }
  agent.close();
  await pxp;
}

interface SimulatedNode {
  readonly certname: string;
  readonly index: number;
  readonly sslDir: string;
  readonly agent: SimulatedAgent;
}

/** Lets the orchestrator reach the node, until the signal. */
async function followOrders(
  { brokerPorts, log, signal }: FleetOptions,
  { agent, certname, index, sslDir }: SimulatedNode,
): Promise<void> {
  const port = brokerPorts[index % brokerPorts.length];
  while (port !== undefined && !signal.aborted) {
    try {
      const closed = Promise.withResolvers<void>();
      // Its certificate comes with its first run.
      const pxp = await SimulatedPxpAgent.connect({
        certname,
        sslDirectory: sslDir,
        broker: `wss://localhost:${port}/pcp2/agent`,
        onClose: () => closed.resolve(),
      });
      const end = () => pxp.close();
      signal.addEventListener('abort', end, { once: true });
      const runPuppet = async () => (await agent.run()).transactionUuid;
      void pxp.eachDoing((doing) => void act(doing, { certname, runPuppet, signal }));
      const pings = setInterval(() => pxp.ping(), pingMs);
      await closed.promise;
      clearInterval(pings);
      signal.removeEventListener('abort', end);
    } catch (error) {
      log.debug({ certname, err: error }, 'simulated node is not connected');
    }
    await pause(reconnectMs, signal);
  }
}

/** A fleet as fleets are: most nodes are well, one fails, one drifts, one only says what it would change. */
function outcomeOf(index: number, run: number): SimulatedOutcome {
  if (index % 10 === 3) return 'failed';
  if (index % 10 === 6) return 'noop';
  if (run === 0) return 'intentional';
  return index % 10 === 8 && run % 2 === 1 ? 'corrective' : 'unchanged';
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {
    // stopped: the loop sees that
  });
}
