/** Jobs that are started all the time, on nodes drawn at random, by a client that does not give up. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { until } from '../e2e/support/until.ts';
import type { JobEnd, JobNodeEnd } from './job-verdict.ts';

export interface JobStreamOptions {
  /** `https://primary:8143/orchestrator/v1` */
  readonly url: string;
  /** Of a client that may start jobs; PEM. */
  readonly credentials: { readonly ca: string; readonly certificate: string; readonly privateKey: string };
  readonly certnames: readonly string[];
  /** How many nodes each job has. */
  readonly nodes: number;
  readonly everyMs: number;
}

type Started = Pick<JobEnd, 'name' | 'token' | 'wasStopped'>;

/** Of all jobs: started by two requests at once with one key; stopped soon after. */
const doubled = 0.3;
const stopped = 0.15;
const stopAfterMs = 1500;
const requestMs = 10_000;
const retryMs = 500;
/** For the last job to end, whatever has happened. */
const patienceMs = 240_000;
const over: readonly unknown[] = ['finished', 'failed', 'stopped'];

export class JobStream {
  private readonly options: JobStreamOptions;
  private readonly client: HttpClient;
  private readonly jobs: Started[] = [];
  private readonly faults: string[] = [];

  constructor(options: JobStreamOptions) {
    this.options = options;
    this.client = new HttpClient(options.credentials);
  }

  /** What the answers to requests should not have been. */
  get requestFaults(): readonly string[] {
    return this.faults;
  }

  /** Starts jobs until the signal, and resolves when all of them are started. */
  async run(signal: AbortSignal): Promise<void> {
    const started: Promise<void>[] = [];
    while (!signal.aborted) {
      started.push(this.startOne());
      await sleep(this.options.everyMs, undefined, { signal }).catch(() => {
        // stopped: the loop sees that
      });
    }
    await Promise.all(started);
  }

  /** Waits until all jobs have ended. */
  async ends(): Promise<readonly JobEnd[]> {
    const ends: JobEnd[] = [];
    for (const job of this.jobs) {
      const state = await until(`job ${job.name} has ended`, () => this.stateOf(job.name), patienceMs);
      const { items } = (await this.ask('GET', `/jobs/${job.name}/nodes`)) as {
        readonly items: readonly JobNodeEnd[];
      };
      ends.push({ ...job, state, nodes: items });
    }
    return ends;
  }

  /** How many of the nodes are connected, by broker; empty while the orchestrator does not answer. */
  async connections(): Promise<Readonly<Record<string, number>>> {
    const { items } = await this.ask('POST', '/inventory', { nodes: this.options.certnames }).catch(() => ({
      items: [],
    }));
    const counts: Record<string, number> = {};
    for (const { broker } of items as readonly { readonly broker?: string }[])
      if (broker !== undefined) counts[broker] = (counts[broker] ?? 0) + 1;
    return counts;
  }

  close(): void {
    this.client.close();
  }

  private async startOne(): Promise<void> {
    const token = randomUUID();
    const body = { task: 'demo', params: { token }, scope: { nodes: this.drawn() } };
    const copies = Math.random() < doubled ? 2 : 1;
    const answers = await Promise.all(
      Array.from({ length: copies }, () => this.insist('/command/task', body, token)),
    );
    const names = new Set(answers.map((answer) => (answer['job'] as { readonly name: string }).name));
    if (names.size > 1)
      this.faults.push(`${token}: two requests with one key started ${[...names].join(' and ')}`);
    const wasStopped = Math.random() < stopped;
    const [name = ''] = names;
    this.jobs.push({ name, token, wasStopped });
    if (!wasStopped) return;
    await sleep(stopAfterMs);
    await this.insist('/command/stop', { job: name }, randomUUID());
  }

  private drawn(): readonly string[] {
    const { certnames, nodes } = this.options;
    return certnames
      .map((certname) => ({ certname, place: Math.random() }))
      .toSorted((one, other) => one.place - other.place)
      .slice(0, nodes)
      .map(({ certname }) => certname);
  }

  /** Sends a command until it is answered: the orchestrator may be away, and the answer may be lost. */
  private async insist(path: string, body: object, key: string): Promise<Record<string, unknown>> {
    for (;;) {
      try {
        return await this.ask('POST', path, body, key);
      } catch (error) {
        if (error instanceof Refused) throw error;
        await sleep(retryMs);
      }
    }
  }

  private async stateOf(name: string): Promise<string | undefined> {
    const { state } = await this.ask('GET', `/jobs/${name}`);
    return over.includes(state) ? String(state) : undefined;
  }

  private async ask(
    method: string,
    path: string,
    body?: object,
    key?: string,
  ): Promise<Record<string, unknown>> {
    const answer = await this.client.send({
      method,
      url: `${this.options.url}${path}`,
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      timeoutMs: requestMs,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = answer.body.toString('utf8');
    if (answer.status >= 400 && answer.status < 500) throw new Refused(`${path}: ${answer.status} ${text}`);
    if (answer.status >= 500) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}

/** The request was wrong: to repeat it is no use. */
class Refused extends Error {}
