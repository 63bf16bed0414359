/** Simulated PXP agents at the brokers of a pool: when one closes, they go to another. */

import { setTimeout as sleep } from 'node:timers/promises';
import { SimulatedPxpAgent } from '../../../demo/simulated-pxp-agent.ts';
import type { ServerPool } from './server-pool.ts';

export interface BrokerAgent {
  readonly certname: string;
  readonly sslDirectory: string;
}

const retryMs = 1000;

export class BrokerAgents {
  private readonly pool: ServerPool;
  private readonly stopping = new AbortController();
  private readonly loops: Promise<unknown>;

  constructor(pool: ServerPool, agents: readonly BrokerAgent[]) {
    this.pool = pool;
    this.loops = Promise.all(agents.map((agent, index) => this.follow(agent, index)));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loops;
  }

  private async follow({ certname, sslDirectory }: BrokerAgent, index: number): Promise<void> {
    for (let turn = index; !this.stopping.signal.aborted; turn += 1) {
      const closed = Promise.withResolvers<void>();
      try {
        const agent = await SimulatedPxpAgent.connect({
          certname,
          sslDirectory,
          broker: `wss://localhost:${await this.brokerPort(turn)}/pcp2/agent`,
          onClose: () => closed.resolve(),
        });
        this.stopping.signal.addEventListener('abort', () => agent.close(), { once: true });
        await closed.promise;
      } catch {
        // That broker is not there, or not yet: the next one.
      }
      await sleep(retryMs, undefined, { signal: this.stopping.signal }).catch(() => {
        // Stopped: the loop sees that.
      });
    }
  }

  private async brokerPort(turn: number): Promise<number> {
    const serving = await this.pool.serving();
    const brokers = this.pool.processList().filter(({ certname }) => serving.includes(certname));
    return brokers[turn % brokers.length]?.brokerPort ?? 0;
  }
}
