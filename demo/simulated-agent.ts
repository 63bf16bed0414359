/**
 * An agent that applies nothing but talks to the servers as a real one does: certificate, plugins, facts, catalog,
 * files, report. For fleets that are larger than the machine.
 */

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HttpClient } from '../src/platform/http-client/index.ts';
import type { Logger } from '../src/platform/log/index.ts';
import { obtainNodeCertificate } from '../src/services/node-certificate/index.ts';

export interface AgentOptions {
  readonly certname: string;
  readonly sslDir: string;
  /** `https://localhost:8140`: the load balancer or a compile server. */
  readonly serverUrl: string;
  readonly environment: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface RunResult {
  readonly resources: number;
  readonly codeId: string | null;
  readonly durationMs: number;
}

interface WireResource {
  readonly type: string;
  readonly title: string;
  readonly file?: string;
  readonly line?: number;
  readonly tags?: readonly string[];
  readonly parameters?: Readonly<Record<string, unknown>>;
}

interface WireCatalog {
  readonly version: unknown;
  readonly code_id: string | null;
  readonly catalog_uuid: string;
  readonly environment: string;
  readonly resources: readonly WireResource[];
}

export class SimulatedAgent {
  private readonly options: AgentOptions;
  private client: HttpClient | undefined;

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
    await this.synchronisePlugins(client);
    const catalog = await this.fetchCatalog(client, transactionUuid);
    await this.fetchFiles(client, catalog);
    const durationMs = performance.now() - began;
    await this.sendReport(client, catalog, transactionUuid, durationMs);
    return { resources: catalog.resources.length, codeId: catalog.code_id, durationMs };
  }

  /** Facts to catalog and nothing else, for benchmarks. */
  async fetchOneCatalog(): Promise<void> {
    await this.fetchCatalog(await this.connect(), randomUUID());
  }

  private async connect(): Promise<HttpClient> {
    if (this.client !== undefined) return this.client;
    const { certname, sslDir, serverUrl, log, signal } = this.options;
    const files = await obtainNodeCertificate({
      sslDir,
      certname,
      key: { kind: 'rsa', bits: 2048 },
      primaryUrl: serverUrl,
      pollIntervalMs: 2000,
      log,
      signal,
    });
    this.client = new HttpClient({
      ca: await readFile(files.ca, 'utf8'),
      certificate: await readFile(files.certificate, 'utf8'),
      privateKey: await readFile(files.privateKey, 'utf8'),
    });
    return this.client;
  }

  private async synchronisePlugins(client: HttpClient): Promise<void> {
    for (const mount of ['pluginfacts', 'plugins']) {
      const ignored = ['.svn', 'CVS', '.git', '.hg'].map((name) => `ignore=${name}`).join('&');
      await this.get(
        client,
        `file_metadatas/${mount}?recurse=true&max_files=-1&${ignored}&links=follow&checksum_type=sha256&source_permissions=ignore`,
      );
    }
  }

  private async fetchCatalog(client: HttpClient, transactionUuid: string): Promise<WireCatalog> {
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
    const body = await this.request(client, 'POST', `catalog/${certname}`, form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/vnd.puppet.rich+json, application/json',
    });
    return JSON.parse(body) as WireCatalog;
  }

  /** Asks for what file resources name as their source: the agent's most frequent requests. */
  private async fetchFiles(client: HttpClient, catalog: WireCatalog): Promise<void> {
    for (const resource of catalog.resources) {
      const source = resource.parameters?.['source'];
      if (resource.type !== 'File' || typeof source !== 'string' || !source.startsWith('puppet:///'))
        continue;
      const path = source.slice('puppet:///'.length);
      const isTree = resource.parameters?.['recurse'] === true;
      const what = isTree ? 'file_metadatas' : 'file_metadata';
      const query = 'links=manage&checksum_type=sha256&source_permissions=ignore';
      await this.get(client, `${what}/${path}?${isTree ? 'recurse=true&' : ''}${query}`);
    }
  }

  private async sendReport(
    client: HttpClient,
    catalog: WireCatalog,
    transactionUuid: string,
    durationMs: number,
  ) {
    const { certname } = this.options;
    const report = renderReport(certname, catalog, transactionUuid, durationMs);
    await this.request(client, 'PUT', `report/${certname}`, JSON.stringify(report), {
      'content-type': 'application/json',
      accept: 'application/json',
    });
  }

  private get(client: HttpClient, path: string): Promise<string> {
    return this.request(client, 'GET', path, undefined, { accept: 'application/json' });
  }

  private async request(
    client: HttpClient,
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<string> {
    const separator = path.includes('?') ? '&' : '?';
    const url = `${this.options.serverUrl}/puppet/v3/${path}${separator}environment=${this.options.environment}`;
    const answer = await client.send({
      method,
      url,
      headers: { ...headers, 'x-puppet-version': '8.10.0', 'user-agent': 'Puppet/8.10.0 (simulated)' },
      signal: this.options.signal,
      timeoutMs: 120_000,
      ...(body === undefined ? {} : { body }),
    });
    const text = answer.body.toString('utf8');
    if (answer.status !== 200) throw new Error(`${method} ${url}: ${answer.status} ${text.slice(0, 300)}`);
    return text;
  }
}

/** A report of a run that found everything as it should be. */
function renderReport(certname: string, catalog: WireCatalog, transactionUuid: string, durationMs: number) {
  const time = new Date().toISOString();
  const total = catalog.resources.length;
  return {
    host: certname,
    time,
    configuration_version: catalog.version,
    transaction_uuid: transactionUuid,
    report_format: 12,
    puppet_version: '8.10.0',
    status: 'unchanged',
    transaction_completed: true,
    noop: false,
    noop_pending: false,
    environment: catalog.environment,
    logs: [],
    metrics: {
      resources: { name: 'resources', label: 'Resources', values: [['total', 'Total', total]] },
      time: { name: 'time', label: 'Time', values: [['total', 'Total', durationMs / 1000]] },
      changes: { name: 'changes', label: 'Changes', values: [['total', 'Total', 0]] },
      events: { name: 'events', label: 'Events', values: [['total', 'Total', 0]] },
    },
    resource_statuses: Object.fromEntries(catalog.resources.map((resource) => renderStatus(resource, time))),
    corrective_change: false,
    catalog_uuid: catalog.catalog_uuid,
    code_id: catalog.code_id,
    cached_catalog_status: 'not_used',
  };
}

function renderStatus(resource: WireResource, time: string) {
  const reference = `${resource.type}[${resource.title}]`;
  const status = {
    title: resource.title,
    file: resource.file ?? null,
    line: resource.line ?? null,
    resource: reference,
    resource_type: resource.type,
    provider_used: null,
    containment_path: ['Stage[main]', reference],
    evaluation_time: 0.0001,
    tags: resource.tags ?? [],
    time,
    failed: false,
    failed_to_restart: false,
    changed: false,
    out_of_sync: false,
    skipped: false,
    change_count: 0,
    out_of_sync_count: 0,
    events: [],
    corrective_change: false,
  };
  return [reference, status] as const;
}
