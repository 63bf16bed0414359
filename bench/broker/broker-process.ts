/** A process with a broker and nothing else: its use of memory and processor is the broker's. */

import type { TlsMaterial } from '../../src/platform/http/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { AgentController } from '../../src/services/broker/controller/agent-controller.ts';
import { BrokerThread } from '../../src/services/broker/index.ts';

export interface BrokerOrder {
  /** What is measured: a broker, or what stands below one. */
  readonly subject: 'broker' | 'ws' | 'tls';
  readonly tls: TlsMaterial;
  readonly connectionsPerSecond: number;
}

export type ToBroker =
  | { readonly kind: 'start'; readonly order: BrokerOrder }
  | { readonly kind: 'count' }
  | { readonly kind: 'ping all' };

/** What the process answers: one number each time. */
export interface FromBroker {
  readonly value: number;
}

const workerUrl = new URL('../../src/services/broker/thread/broker-worker.ts', import.meta.url);

class MeasuredBroker {
  private readonly controller = new AgentController({ log: silentLogger, now: () => new Date() });

  async start({ connectionsPerSecond, tls }: BrokerOrder): Promise<number> {
    const thread = new BrokerThread(
      workerUrl,
      {
        uri: 'pcp://localhost/server',
        port: 0,
        host: '127.0.0.1',
        tls,
        rules: undefined,
        trustedProxies: [],
        maxConnections: 0,
        maxMessageBytes: 64 * 1024 * 1024,
        messagesPerSecond: 500,
        connectionsPerSecond,
        idleTimeoutMs: 360_000,
        controllerGraceMs: 90_000,
        controllerUrls: [],
        logFile: '',
        accessLogFile: '',
        isDebugging: false,
      },
      silentLogger,
    );
    const port = await thread.listen();
    thread.attach({
      uri: 'pcp://primary:8143/server',
      aliases: [],
      connected: (send) => this.controller.addBroker({ uri: 'pcp://localhost/server', send }),
    });
    return port;
  }

  count(): number {
    return [...this.controller.connections()].length;
  }

  /** @returns milliseconds until the last answer */
  pingAll(): Promise<number> {
    const startMs = performance.now();
    const waiting = new Set(Array.from(this.controller.connections(), ({ certname }) => certname));
    return new Promise((resolve) => {
      const end = this.controller.listen({
        message(certname) {
          waiting.delete(certname);
          if (waiting.size > 0) return;
          end();
          resolve(performance.now() - startMs);
        },
        connected: () => undefined,
        lost: () => undefined,
      });
      for (const certname of waiting) {
        const data = { transaction_id: crypto.randomUUID(), module: 'ping', action: 'ping', params: {} };
        void this.controller.send(certname, 'http://puppetlabs.com/rpc_blocking_request', data);
      }
    });
  }
}

const broker = new MeasuredBroker();

async function answer(message: ToBroker): Promise<number> {
  if (message.kind === 'start') return broker.start(message.order);
  return message.kind === 'count' ? broker.count() : broker.pingAll();
}

process.on('message', (message: ToBroker) => {
  void answer(message).then((value) => process.send?.({ value } satisfies FromBroker));
});
