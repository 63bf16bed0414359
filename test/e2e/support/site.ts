/** An installation for scenarios: on free ports, in a directory of its own, with agents that join it. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunnerTestCase, RunnerTestSuite } from 'vitest';
import { afterAll, beforeAll, inject } from 'vitest';
import { Installation } from '../../../demo/installation.ts';
import { freePort } from '../../../demo/ports.ts';
import { HttpClient } from '../../../src/platform/http-client/index.ts';
import { Agent } from './agent.ts';
import { copyExample } from './example.ts';
import { lackObstacle, programWhosePoolLacks } from './machine-without.ts';

type SiteSettings = Readonly<Record<string, string | number | boolean>>;

export interface SiteOptions {
  /** How many compile servers; two when absent. */
  readonly compileServers?: number;
  /** Compile servers come from the primary's driver, and HAProxy follows them. */
  readonly isAutoscaled?: boolean;
  /** For all servers. */
  readonly settings?: SiteSettings | ((ports: Installation['options']['ports']) => SiteSettings);
  /** Ports of brokers: of the primary, then of the compile servers. */
  readonly brokers?: readonly number[];
  /** A free one when absent. */
  readonly primaryPort?: number;
  /** Certnames that are signed at once; all of `*.e2e.test` when absent. */
  readonly autosign?: readonly string[];
  /** A directory below that of the site which servers of the primary's driver find empty, as on machines of their own. */
  readonly poolLacks?: string;
}

/** One line of a server's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string };

export class Site {
  readonly installation: Installation;
  readonly directory: string;

  private constructor(installation: Installation) {
    this.installation = installation;
    this.directory = installation.options.directory;
  }

  /** Prepares an installation; nothing runs yet. */
  static async create(options: SiteOptions = {}): Promise<Site> {
    const compileServers = await Promise.all(
      Array.from({ length: options.compileServers ?? 2 }, () => freePort()),
    );
    const ports = {
      primary: options.primaryPort ?? (await freePort()),
      compileServers,
      balancer: await freePort(),
      ...(options.brokers === undefined ? {} : { brokers: options.brokers }),
    };
    const settings = typeof options.settings === 'function' ? options.settings(ports) : options.settings;
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-e2e-'));
    const installation = new Installation({
      directory,
      project: programOf(directory, options),
      node: process.execPath,
      ports,
      controlRepository: join(inject('project'), 'examples', 'control-repo'),
      autosign: options.autosign ?? ['*.e2e.test'],
      isAutoscaled: options.isAutoscaled ?? false,
      // Keys of Puppet's length take a second of processor time more; `npm run demo` has them in its own scenario.
      settings: { keylength: 2048, ...settings },
    });
    const site = new Site(installation);
    copyExample(installation.stagedEnvironment, site.managed);
    return site;
  }

  /** The directory below which the example control repository manages the files of its nodes, by certname. */
  get managed(): string {
    return join(this.directory, 'managed');
  }

  /** A node whose agent reaches the servers through HAProxy, or the port that is given. */
  agent(
    certname: string,
    port = this.installation.options.ports.balancer,
    puppet: readonly string[] = ['puppet'],
  ): Agent {
    return new Agent({
      certname,
      directory: join(this.directory, 'agents', certname),
      server: 'localhost',
      port,
      puppet,
    });
  }

  /** The agent of a server's machine, with the server's certificate: `primary`, `compile1`, ... */
  agentOf(server: string): Agent {
    return new Agent({
      certname: `${server}.bunraku.test`,
      directory: join(this.directory, 'agents', server),
      server: 'localhost',
      port: this.installation.options.ports.primary,
      sslDirectory: join(this.directory, server, 'puppet', 'ssl'),
    });
  }

  /** Puts files into the staging directory; they are live after the next deploy. */
  stage(files: Readonly<Record<string, string>>, environment = 'production'): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.installation.stagedEnvironment, '..', environment, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  /** What is staged under a name. */
  staged(name: string): string {
    return readFileSync(join(this.installation.stagedEnvironment, name), 'utf8');
  }

  /** Asks the primary's PuppetDB, in PQL, on the port that all use. */
  async puppetDb(query: string): Promise<readonly Record<string, unknown>[]> {
    const { options, primaryDirectory } = this.installation;
    return await askPuppetDb(join(primaryDirectory, 'puppet', 'ssl'), options.ports.primary, query);
  }

  /** What `bunraku ca` needs to ask the running primary. */
  get online(): readonly string[] {
    const { options, primaryDirectory } = this.installation;
    const server = ['--server', `localhost:${options.ports.primary}`];
    const ssl = ['--ssl-dir', join(primaryDirectory, 'puppet', 'ssl')];
    return [...server, ...ssl, '--client-certname', 'primary.bunraku.test'];
  }

  /** How many messages wait on each compile server. */
  outboxSizes(): readonly number[] {
    return this.installation.options.ports.compileServers.map((_, index) => {
      const data = join(this.directory, `compile${index + 1}`);
      const [row] = queryDatabase(data, 'select count(*) as messages from outbox_commands', []);
      return Number(row?.['messages']);
    });
  }

  /** The reports of a node, the first to arrive first. */
  async reportsOf(certname: string): Promise<readonly Record<string, unknown>[]> {
    const columns = 'status, environment, code_id, transaction_uuid, receive_time';
    return await this.puppetDb(`reports[${columns}] { certname = "${certname}" order by receive_time }`);
  }

  /** What a server has logged until now: `primary`, `compile1`, ... */
  logOf(server: string): readonly LogLine[] {
    const path = join(this.directory, 'log', `${server}.log`);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map(decodeLine);
  }

  /** What all compile servers have logged until now. */
  get compileServerLogs(): readonly LogLine[] {
    return this.installation.options.ports.compileServers.flatMap((_, index) =>
      this.logOf(`compile${index + 1}`),
    );
  }

  async stop(): Promise<void> {
    await this.installation.stop();
  }
}

function programOf(directory: string, { poolLacks }: SiteOptions): string {
  const program = inject('program');
  if (poolLacks === undefined) return program;
  const obstacle = lackObstacle();
  if (obstacle === '')
    return programWhosePoolLacks(join(directory, 'program'), program, {
      directory: join(directory, poolLacks),
    });
  console.warn(`Servers of the pool find ${poolLacks} where the primary does: ${obstacle}`);
  return program;
}

async function askPuppetDb(
  sslDirectory: string,
  port: number,
  query: string,
): Promise<readonly Record<string, unknown>[]> {
  const read = (directory: string, name: string) => readFileSync(join(sslDirectory, directory, name), 'utf8');
  const client = new HttpClient({
    ca: read('certs', 'ca.pem'),
    certificate: read('certs', 'primary.bunraku.test.pem'),
    privateKey: read('private_keys', 'primary.bunraku.test.pem'),
  });
  try {
    const url = `https://localhost:${port}/pdb/query/v4?${new URLSearchParams({ query })}`;
    const { body, status } = await client.send({ method: 'GET', url });
    if (status !== 200) throw new Error(`PuppetDB answers ${status}: ${body.toString('utf8')}`);
    return JSON.parse(body.toString('utf8')) as readonly Record<string, unknown>[];
  } finally {
    client.close();
  }
}

function queryDatabase(
  data: string,
  sql: string,
  values: readonly string[],
): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(join(data, 'state', 'bunraku.sqlite'), { readOnly: true });
  try {
    return database.prepare(sql).all(...values);
  } finally {
    database.close();
  }
}

/** Anything that is not a line of the log (a stack of Node itself, say) shows as what it is. */
function decodeLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { level: 'none', msg: line };
  }
}

/**
 * An installation that runs for all scenarios of a file.
 *
 * @param prepare - called before anything starts
 */
export function runningSite(options: SiteOptions = {}, prepare?: (site: Site) => void): () => Site {
  const running: { site?: Site; hasStarted?: true } = {};
  beforeAll(async () => {
    running.site = await Site.create(options);
    prepare?.(running.site);
    await running.site.installation.start();
    running.hasStarted = true;
  });
  // oxlint-disable-next-line no-empty-pattern -- vitest wants the context to be taken apart
  afterAll(async ({}, suite) => {
    await running.site?.stop();
    const hasFailed = running.hasStarted !== true || hasFailure(suite.tasks);
    if (hasFailed) console.warn(`Logs and data of ${suite.name} are in ${running.site?.directory}`);
    else if (running.site !== undefined) rmSync(running.site.directory, { recursive: true, force: true });
  });
  return () => {
    if (running.site === undefined) throw new Error('the installation does not run yet');
    return running.site;
  };
}

function hasFailure(tasks: readonly (RunnerTestCase | RunnerTestSuite)[]): boolean {
  return tasks.some(
    (task) => task.result?.state === 'fail' || (task.type === 'suite' && hasFailure(task.tasks)),
  );
}
