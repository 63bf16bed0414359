/** Many nodes that ask for catalogs, each at its own time, through the load balancer. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../src/platform/http-client/index.ts';
import { silentLogger } from '../src/platform/log/index.ts';
import { obtainNodeCertificate } from '../src/services/node-certificate/index.ts';
import type { Installation } from './installation.ts';

export interface CatalogLoadOptions {
  readonly installation: Installation;
  /** Where the nodes keep their certificates. */
  readonly directory: string;
  /** `demo`: nodes are `load0.demo` and so on. */
  readonly domain: string;
  readonly nodes: number;
  /** Each node asks once in this time. */
  readonly intervalMs: number;
}

interface LoadNode {
  readonly certname: string;
  readonly client: HttpClient;
}

/** The code for such nodes: each catalog keeps a worker busy for so long, and no processor. */
export function loadManifest(seconds: number): string {
  return `node /^load\\d/ {\n  $waited = generate('/bin/sleep', '${seconds}')\n  notify { 'load': }\n}\n`;
}

const certificateTimeoutMs = 60_000;
const pollMs = 200;
/** Where a server does not say after how many seconds to come again. */
const usualRetrySeconds = 1;

export class CatalogLoad {
  /** How often they got which status; other failures by their message. */
  readonly answers = new Map<string, number>();
  /** So many of the nodes ask; the others rest. */
  active: number;
  private readonly options: CatalogLoadOptions;
  private readonly stopping = new AbortController();
  private readonly nodes: readonly LoadNode[];
  private work: Promise<unknown> = Promise.resolve();

  private constructor(options: CatalogLoadOptions, nodes: readonly LoadNode[]) {
    this.options = options;
    this.nodes = nodes;
    this.active = nodes.length;
  }

  /** Gets a certificate for each node. */
  static async prepare(options: CatalogLoadOptions): Promise<CatalogLoad> {
    const nodes = Array.from({ length: options.nodes }, async (_, index): Promise<LoadNode> => {
      const certname = `load${index}.${options.domain}`;
      const files = await obtainNodeCertificate({
        sslDir: join(options.directory, certname),
        certname,
        key: { kind: 'ec', curve: 'P-256' },
        primaryUrl: options.installation.primaryUrl,
        pollIntervalMs: pollMs,
        log: silentLogger,
        signal: AbortSignal.timeout(certificateTimeoutMs),
      });
      const [ca = '', certificate = '', privateKey = ''] = await Promise.all(
        [files.ca, files.certificate, files.privateKey].map((path) => readFile(path, 'utf8')),
      );
      return { certname, client: new HttpClient({ ca, certificate, privateKey }) };
    });
    return new CatalogLoad(options, await Promise.all(nodes));
  }

  /** As evenly as the nodes of a fleet come. */
  start(): void {
    const { intervalMs } = this.options;
    this.work = Promise.all(
      this.nodes.map(async (node, index) => {
        await this.pause((intervalMs * index) / this.nodes.length);
        while (!this.stopping.signal.aborted) {
          const startMs = performance.now();
          if (index < this.active) await this.ask(node);
          await this.pause(intervalMs - (performance.now() - startMs));
        }
      }),
    );
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.work;
    for (const { client } of this.nodes) client.close();
  }

  /** Until there is a catalog: servers under overload tell clients to come again. */
  private async ask({ certname, client }: LoadNode): Promise<void> {
    const url = `${this.options.installation.balancerUrl}/puppet/v3/catalog/${certname}?environment=production`;
    const headers = { accept: 'application/json', 'x-puppet-version': '8.10.0' };
    while (!this.stopping.signal.aborted) {
      const { answer, retrySeconds } = await client.send({ method: 'GET', url, headers }).then(
        (reply) => ({
          answer: String(reply.status),
          retrySeconds: Number(reply.headers['retry-after'] ?? usualRetrySeconds),
        }),
        (error: Error) => ({ answer: error.message, retrySeconds: usualRetrySeconds }),
      );
      this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
      if (answer === '200') return;
      await this.pause(retrySeconds * 1000);
    }
  }

  private async pause(ms: number): Promise<void> {
    await sleep(Math.max(0, ms), undefined, { signal: this.stopping.signal }).catch(() => {
      // Stopped: the loop sees that.
    });
  }
}
