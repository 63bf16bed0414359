/**
 * An agent that applies nothing but talks to the servers as a real one does: certificate, plugins, facts, catalog,
 * files, report. For fleets that are larger than the machine.
 */

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type ClientCredentials,
  type ClientRequest,
  type ClientResponse,
  HttpClient,
} from '../src/platform/http-client/index.ts';
import type { Logger } from '../src/platform/log/index.ts';
import type { KeySpec } from '../src/platform/x509/index.ts';
import { obtainNodeCertificate } from '../src/services/node-certificate/index.ts';
import { SimulatedFiles } from './simulated-files.ts';
import { renderReport, type SimulatedOutcome } from './simulated-report.ts';

/** How an agent's requests are sent. */
export interface AgentClient {
  send(request: ClientRequest): Promise<ClientResponse>;
  close(): void;
}

export interface AgentOptions {
  readonly certname: string;
  readonly sslDir: string;
  /** `https://localhost:8140`: the load balancer or a compile server. */
  readonly serverUrl: string;
  readonly environment: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** RSA of 2048 bits when absent. */
  readonly key?: KeySpec;
  /** What its runs report of the resources; that everything was as it should be when absent. @param run - 0 for the first */
  readonly outcome?: (run: number) => SimulatedOutcome;
  /** For those who want to see what is sent, or to send it in their own way. */
  readonly createClient?: (credentials: ClientCredentials) => AgentClient;
}

export interface RunResult {
  readonly catalog: WireCatalog;
  /** Contents of file resources that were new to the agent, by title. */
  readonly contents: Readonly<Record<string, string>>;
  readonly resources: number;
  readonly codeId: string | null;
  /** Of its report, too. */
  readonly transactionUuid: string;
  readonly durationMs: number;
}

export interface WireResource {
  readonly type: string;
  readonly title: string;
  readonly file?: string;
  readonly line?: number;
  readonly tags?: readonly string[];
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export interface WireCatalog {
  readonly version: unknown;
  readonly code_id: string | null;
  readonly catalog_uuid: string;
  readonly environment: string;
  readonly resources: readonly WireResource[];
}

interface AgentRequest {
  readonly method: string;
  /** Below `/puppet/v3/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export class SimulatedAgent {
  private readonly options: AgentOptions;
  private readonly files = new SimulatedFiles();
  private credentials: ClientCredentials | undefined;
  private client: AgentClient | undefined;
  private runs = 0;

  constructor(options: AgentOptions) {
    this.options = options;
  }

  close(): void {
    this.client?.close();
  }

  /** One run. @throws Error when a request is not answered as it should be */
  async run(): Promise<RunResult> {
    const began = performance.now();
    const client = await this.connect();
    const transactionUuid = randomUUID();
    const get = (path: string, accept: string) =>
      this.request(client, { method: 'GET', path, headers: { accept } });
    await this.files.synchronisePlugins(get);
    const catalog = await this.fetchCatalog(client, transactionUuid);
    const contents = await this.files.fetchSources(get, catalog);
    const durationMs = performance.now() - began;
    await this.sendReport(client, catalog, transactionUuid, durationMs);
    const resources = catalog.resources.length;
    return { catalog, contents, resources, codeId: catalog.code_id, transactionUuid, durationMs };
  }

  /** Facts to catalog and nothing else, for benchmarks. */
  async fetchOneCatalog(): Promise<void> {
    await this.fetchCatalog(await this.connect(), randomUUID());
  }

  /** Gets a certificate, when there is none yet. */
  async enrol(): Promise<void> {
    this.credentials ??= await this.obtainCredentials();
  }

  /** Ends the connections, as an agent does at the end of a run. */
  disconnect(): void {
    this.client?.close();
    this.client = undefined;
  }

  private async connect(): Promise<AgentClient> {
    if (this.client !== undefined) return this.client;
    const credentials = this.credentials ?? (await this.obtainCredentials());
    this.credentials = credentials;
    this.client = this.options.createClient?.(credentials) ?? new HttpClient(credentials);
    return this.client;
  }

  private async obtainCredentials(): Promise<ClientCredentials> {
    const { certname, key, sslDir, serverUrl, log, signal } = this.options;
    const files = await obtainNodeCertificate({
      sslDir,
      certname,
      key: key ?? { kind: 'rsa', bits: 2048 },
      primaryUrl: serverUrl,
      pollIntervalMs: 2000,
      log,
      signal,
    });
    return {
      ca: await readFile(files.ca, 'utf8'),
      certificate: await readFile(files.certificate, 'utf8'),
      privateKey: await readFile(files.privateKey, 'utf8'),
    };
  }

  private async fetchCatalog(client: AgentClient, transactionUuid: string): Promise<WireCatalog> {
    const { certname, environment, facts } = this.options;
    const values = JSON.stringify({
      name: certname,
      values: facts,
      timestamp: new Date().toISOString(),
      expiration: new Date(Date.now() + 1_800_000).toISOString(),
    });
    const form = new URLSearchParams({
      facts_format: 'application/json',
      facts: encodeURIComponent(values),
      environment,
      configured_environment: environment,
      check_environment: 'true',
      transaction_uuid: transactionUuid,
      static_catalog: 'true',
      checksum_type: 'sha256.sha384.sha512.sha224.md5',
    });
    const body = await this.request(client, {
      method: 'POST',
      path: `catalog/${certname}`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/vnd.puppet.rich+json, application/json',
      },
      body: form.toString(),
    });
    return JSON.parse(body.toString('utf8')) as WireCatalog;
  }

  private async sendReport(
    client: AgentClient,
    catalog: WireCatalog,
    transactionUuid: string,
    durationMs: number,
  ) {
    const { certname } = this.options;
    const outcome = this.options.outcome?.(this.runs) ?? 'unchanged';
    this.runs += 1;
    const report = renderReport({ certname, catalog, transactionUuid, durationMs, outcome });
    await this.request(client, {
      method: 'PUT',
      path: `report/${certname}`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(report),
    });
  }

  private async request(client: AgentClient, { body, headers, method, path }: AgentRequest): Promise<Buffer> {
    const separator = path.endsWith('?') || path.endsWith('&') ? '' : path.includes('?') ? '&' : '?';
    const url = `${this.options.serverUrl}/puppet/v3/${path}${separator}environment=${this.options.environment}`;
    const answer = await client.send({
      method,
      url,
      headers: { ...headers, 'x-puppet-version': '8.10.0', 'user-agent': 'Puppet/8.10.0 (simulated)' },
      signal: this.options.signal,
      timeoutMs: 120_000,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status !== 200)
      throw new Error(`${method} ${url}: ${answer.status} ${answer.body.subarray(0, 300).toString('utf8')}`);
    return answer.body;
  }
}
