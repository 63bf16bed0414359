/** Many simulated agents, each with runs at its own time. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../src/platform/log/index.ts';
import { SimulatedAgent } from './simulated-agent.ts';
import { simulatedFacts } from './simulated-facts.ts';
import type { SimulatedOutcome } from './simulated-report.ts';

export interface FleetOptions {
  readonly nodes: number;
  readonly domain: string;
  readonly serverUrl: string;
  readonly directory: string;
  readonly runIntervalMs: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Resolves when all agents have stopped, after the signal. A run that fails is logged and tried again in time. */
export async function simulateFleet(options: FleetOptions): Promise<void> {
  await Promise.all(Array.from({ length: options.nodes }, (_, index) => simulateNode(options, index)));
}

async function simulateNode(options: FleetOptions, index: number): Promise<void> {
  const { log, signal } = options;
  const certname = `${index % 2 === 0 ? 'web' : 'db'}${String(index + 1).padStart(2, '0')}.${options.domain}`;
  const agent = new SimulatedAgent({
    certname,
    sslDir: join(options.directory, certname, 'ssl'),
    serverUrl: options.serverUrl,
    environment: 'production',
    facts: simulatedFacts(certname, index),
    outcome: (run) => outcomeOf(index, run),
    log,
    signal,
  });
  // Spread over the interval, as the agents of a real fleet are.
  await pause((options.runIntervalMs * index) / options.nodes, signal);
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
