/** Servers on hosts of their own behind the real HAProxy; seen from the operator's host, which is one of them. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isReady } from '../../demo/installation.ts';
import { Process } from '../../demo/process.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import { readCredentials } from '../e2e/support/agent.ts';
import { askForCatalog } from '../e2e/support/catalog-request.ts';
import type { Network } from '../e2e/support/network.ts';
import { until } from '../e2e/support/until.ts';
import type { Hosts } from './hosts.ts';
import { stageSite, versionOfCatalog } from './versioned-site.ts';

export interface ClusterOptions {
  readonly network: Network;
  readonly hosts: Hosts;
  /** Everything is kept below. */
  readonly directory: string;
  /** The bundled program. */
  readonly program: string;
  /** What starts programs of ours and simulated agents: nothing, or `env` with settings of theirs. */
  readonly wrapper?: readonly string[];
}

/** What runs a program of ours, or a simulated agent, on a host. */
export function standingOn({ network, wrapper = [] }: ClusterOptions, host: string): readonly string[] {
  return [...network.on(host), ...wrapper];
}

export interface Deploy {
  readonly committedMs: number;
  /** Until the last server that was in contact served it. */
  readonly liveMs: number;
  readonly servers: number;
  readonly current: number;
}

const patienceMs = 120_000;

export class Cluster {
  readonly options: ClusterOptions;
  private readonly processes = new Map<string, Process>();
  private client: HttpClient | undefined;

  constructor(options: ClusterOptions) {
    this.options = options;
    mkdirSync(this.filesDirectory, { recursive: true });
  }

  /** Where the real agents' file resources are. */
  get filesDirectory(): string {
    return join(this.options.directory, 'files');
  }

  async startPrimary(): Promise<void> {
    const { primary } = this.options.hosts;
    const data = this.dataOf(primary);
    const settings = {
      certname: primary,
      dns_alt_names: 'puppet',
      autosign: 'true',
      compile_workers: 1,
      keylength: 2048,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'bunraku.conf'), `${lines.join('')}drain_delay = 1s\n`);
    this.start(primary, this.bunraku('primary', '--data', data));
    await this.isServing(primary);
  }

  /** @returns a token that any number of servers may join with */
  async token(): Promise<string> {
    const { balancer, primary } = this.options.hosts;
    const names = [`DNS:${balancer}`, 'DNS:puppet'].flatMap((name) => ['--alt-name', name]);
    const words = ['infrastructure', 'token', '--uses', '0', ...names, '--data', this.dataOf(primary)];
    return (await this.run(primary, words)).trim();
  }

  /**
   * `compile-server join` of a new machine, which goes on as the server.
   *
   * @param more - further settings
   */
  async join(host: string, token: string, more: readonly string[] = []): Promise<void> {
    const { balancer, primary } = this.options.hosts;
    const names = ['--certname', host, '--dns-alt-names', `puppet,${balancer}`];
    const settings = ['--compile-workers', '1', '--drain-delay', '3s', '--data', this.dataOf(host)];
    const words = ['compile-server', 'join', `https://${primary}:8140`, '--token', token, '--run'];
    this.start(host, this.bunraku(...words, ...names, ...settings, ...more));
    await this.isServing(host);
  }

  /** `compile-server leave`, as its operator types it. */
  async leave(host: string): Promise<void> {
    await this.run(host, ['compile-server', 'leave', '--data', this.dataOf(host)]);
    await until(`${host} has ended`, () => !this.running(host).isRunning, patienceMs);
  }

  async forget(host: string): Promise<void> {
    const { primary } = this.options.hosts;
    await this.run(primary, ['infrastructure', 'forget', host, '--data', this.dataOf(primary)]);
  }

  kill(host: string): Promise<void> {
    return this.running(host).kill();
  }

  async stop(host: string): Promise<void> {
    await this.running(host).stop(60_000);
  }

  /** Starts a server that has been there before. */
  async startAgain(host: string): Promise<void> {
    const role = host === this.options.hosts.primary ? 'primary' : 'compile-server';
    this.start(host, this.bunraku(role, '--data', this.dataOf(host)));
    await this.isServing(host);
  }

  /** HAProxy, and what tells it which servers there are. */
  async startBalancer(): Promise<void> {
    const { balancer, primary } = this.options.hosts;
    const socket = join(this.options.directory, 'haproxy.sock');
    const own = ['--socket', socket, '--pcp-port', 'none'];
    const config = await this.run(balancer, ['haproxy', 'config', ...own, '--maxconn', '450']);
    const file = join(this.options.directory, 'haproxy.cfg');
    writeFileSync(file, config);
    this.start(balancer, ['haproxy', '-db', '-f', file]);
    await until('HAProxy takes commands', () => existsSync(socket));
    const ssl = join(this.dataOf(primary), 'puppet', 'ssl');
    const identity = ['--primary', primary, '--ssldir', ssl, '--certname', primary];
    this.start(balancer, this.bunraku('haproxy', 'follow', ...own, ...identity), 'follower');
    await this.isServing(balancer);
  }

  /** Changes every file, then commits, and waits for the servers. @throws Error when it is not committed */
  async deploy(version: number): Promise<Deploy> {
    const { primary } = this.options.hosts;
    const environment = join(this.dataOf(primary), 'code-staging', 'environments', 'production');
    stageSite(environment, version, this.filesDirectory);
    const answer = await this.operator().send({
      method: 'POST',
      url: `https://${primary}:8140/file-sync/v1/commit`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ 'commit-all': true, wait_ms: 5000 }),
      timeoutMs: 60_000,
    });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.toString('utf8')}`);
    const { clients, timing } = JSON.parse(answer.body.toString('utf8')) as CommitAnswer;
    const current = clients.filter((client) => client.is_current).length;
    return {
      committedMs: timing.committed_ms,
      liveMs: timing.live_ms,
      servers: clients.length,
      current,
    };
  }

  /** The version that a server serves. @throws Error for a mixture, or when it serves none */
  async versionAt(host: string): Promise<string> {
    const { primary } = this.options.hosts;
    const { status, text } = await askForCatalog(this.operator(), `https://${host}:8140`, primary);
    if (status !== 200) throw new Error(`${host} answered with status ${status}: ${text}`);
    return versionOfCatalog(text);
  }

  async serves(host: string, version: number): Promise<void> {
    const isThere = async () => (await this.versionAt(host)) === String(version);
    await until(`${host} serves version ${version}`, isThere, patienceMs);
  }

  /** What the primary says to its operator. @throws Error unless the status is 200 */
  async ask(path: string): Promise<unknown> {
    const url = `https://${this.options.hosts.primary}:8140${path}`;
    const answer = await this.operator().send({ method: 'GET', url, timeoutMs: 60_000 });
    const text = answer.body.toString('utf8');
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  /** The last to be started ends first. */
  async end(): Promise<void> {
    this.client?.close();
    for (const running of [...this.processes.values()].toReversed()) await running.stop();
  }

  /** Runs a program on a host until the end. */
  start(host: string, command: readonly string[], name = host): Process {
    const [program = 'ip', ...args] = [...this.options.network.on(host), ...command];
    const logFile = join(this.options.directory, `${name}.log`);
    const started = new Process({ command: program, args, logFile });
    this.processes.set(name, started);
    return started;
  }

  running(host: string): Process {
    const found = this.processes.get(host);
    if (found === undefined) throw new Error(`nothing runs on ${host}`);
    return found;
  }

  private async isServing(host: string): Promise<void> {
    const url = `https://${host}:8140`;
    await this.running(host).until(`${host} serves`, () => isReady(url), patienceMs);
  }

  /** The data directory of a server. */
  dataOf(host: string): string {
    return join(this.options.directory, host);
  }

  private bunraku(...words: readonly string[]): readonly string[] {
    const { program, wrapper = [] } = this.options;
    return [...wrapper, process.execPath, join(program, 'dist', 'main.js'), ...words];
  }

  /** A command to its end. @throws Error with what it said when it fails */
  private run(host: string, words: readonly string[]): Promise<string> {
    const [program = 'ip', ...args] = [...this.options.network.on(host), ...this.bunraku(...words)];
    return new Promise((resolve, reject) => {
      execFile(program, args, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${words.slice(0, 2).join(' ')}: ${stdout}${stderr}`, { cause: error }));
      });
    });
  }

  /** Shows the primary's certificate. */
  private operator(): HttpClient {
    const { primary } = this.options.hosts;
    const ssl = join(this.dataOf(primary), 'puppet', 'ssl');
    this.client ??= new HttpClient(readCredentials(ssl, primary));
    return this.client;
  }
}

interface CommitAnswer {
  readonly timing: { readonly committed_ms: number; readonly live_ms: number };
  readonly clients: readonly { readonly is_current: boolean }[];
}
