/** A whole installation on loopback: a primary, compile servers, the real HAProxy. For the demo, tests and benchmarks. */

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HttpClient } from '../src/platform/http-client/index.ts';
import { endMarked } from '../src/platform/processes/index.ts';
import { renderHaproxyConfig } from '../src/services/load-balancer/index.ts';
import { Process } from './process.ts';

export interface InstallationOptions {
  /** Everything is kept below; what is there from an earlier time is used again. */
  readonly directory: string;
  /** The root of this project, with `dist/` built. */
  readonly project: string;
  /** The node that runs the servers. */
  readonly node: string;
  readonly ports: {
    readonly primary: number;
    readonly compileServers: readonly number[];
    readonly balancer: number;
    /** Of the primary; without it only the primary's own port serves PuppetDB's API. */
    readonly puppetDb?: number;
    /** Of the primary; without it there are neither users nor groups. */
    readonly consoleServices?: number;
    /** Of the pages for browsers. */
    readonly console?: number;
    /** Of the primary's broker and of those of compile servers; without them there are no brokers. */
    readonly brokers?: readonly number[];
  };
  /** Copied into the staging directory the first time. */
  readonly controlRepository: string;
  /** Certnames that are signed at once; globs as in `autosign.conf`. */
  readonly autosign: readonly string[];
  /** Compile servers come from the primary's driver, and HAProxy follows them. */
  readonly isAutoscaled?: boolean;
  /** Lines for the configuration files of all servers. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}

const run = promisify(execFile);
const localPatienceMs = 15_000;

export class Installation {
  readonly options: InstallationOptions;
  primary: Process | undefined;
  readonly compileServers: (Process | undefined)[] = [];
  private balancer: Process | undefined;
  private follower: Process | undefined;

  constructor(options: InstallationOptions) {
    this.options = options;
    mkdirSync(join(options.directory, 'log'), { recursive: true });
  }

  get primaryUrl(): string {
    return `https://localhost:${this.options.ports.primary}`;
  }
  get balancerUrl(): string {
    return `https://localhost:${this.options.ports.balancer}`;
  }
  get stagedEnvironment(): string {
    return join(this.primaryDirectory, 'code-staging', 'environments', 'production');
  }
  get primaryDirectory(): string {
    return join(this.options.directory, 'primary');
  }

  compileServerUrl(index: number): string {
    return `https://localhost:${this.options.ports.compileServers[index]}`;
  }

  /** Primary first, then what follows it, then what stands before it. */
  async start(): Promise<void> {
    await this.startPrimary();
    const { compileServers } = this.options.ports;
    await Promise.all(compileServers.map((_, index) => this.startCompileServer(index)));
    if (this.options.isAutoscaled === true) await this.startFollowedBalancer();
    else if (compileServers.length > 0) await this.startBalancer();
  }

  async startPrimary(): Promise<void> {
    const { autosign, ports } = this.options;
    const data = this.primaryDirectory;
    mkdirSync(join(data, 'puppet'), { recursive: true });
    this.stage();
    const signed = [...autosign, '*.bunraku.test'];
    writeFileSync(join(data, 'puppet', 'autosign.conf'), signed.map((pattern) => `${pattern}\n`).join(''));
    this.writeConfig(data, {
      certname: 'primary.bunraku.test',
      dns_alt_names: 'puppet,localhost',
      serverport: ports.primary,
      ...(ports.puppetDb === undefined ? {} : { puppetdb_port: ports.puppetDb }),
      ...(ports.consoleServices === undefined ? {} : { console_services_port: ports.consoleServices }),
      ...(ports.console === undefined ? {} : { console_port: ports.console }),
      ...brokerPort(ports.brokers?.[0]),
      allow_subject_alt_names: true,
      allow_authorization_extensions: true,
    });
    this.primary = this.startServer('primary', ['primary', '--data', data]);
    await this.primary.until('primary is ready', () => isReady(this.primaryUrl));
  }

  /** Copies the control repository into the staging directory, where there is none yet. */
  stage(): void {
    if (!existsSync(this.stagedEnvironment))
      cpSync(this.options.controlRepository, this.stagedEnvironment, { recursive: true });
  }

  /** Starts it and waits until it is healthy. */
  async startCompileServer(index: number): Promise<void> {
    const name = `compile${index + 1}`;
    const data = join(this.options.directory, name);
    mkdirSync(data, { recursive: true });
    this.writeConfig(data, {
      certname: `${name}.bunraku.test`,
      dns_alt_names: 'puppet,localhost',
      serverport: this.options.ports.compileServers[index] ?? 0,
      primary: `localhost:${this.options.ports.primary}`,
      ...brokerPort(this.options.ports.brokers?.[index + 1]),
    });
    const server = this.startServer(name, ['compile-server', '--data', data]);
    this.compileServers[index] = server;
    await server.until(`${name} is ready`, () => isReady(this.compileServerUrl(index)));
  }

  async startBalancer(): Promise<void> {
    const { directory, ports } = this.options;
    const config = join(directory, 'haproxy.cfg');
    writeFileSync(
      config,
      renderHaproxyConfig({
        servers: ports.compileServers.map((port) => ({ host: 'localhost', port })),
        bind: `127.0.0.1:${ports.balancer}`,
        // Within the file descriptors that any user gets.
        maxConnections: 200,
      }),
    );
    const logFile = join(directory, 'log', 'haproxy.log');
    this.balancer = new Process({ command: findHaproxy(), args: ['-db', '-f', config], logFile });
    await this.balancer.until('HAProxy is ready', () => isReady(this.balancerUrl));
  }

  /** HAProxy's socket for commands, where it follows the servers. */
  get balancerSocket(): string {
    return join(this.options.directory, 'haproxy.sock');
  }

  /** The directory of compile servers that the primary's driver runs on this machine. */
  get localServersDirectory(): string {
    return join(this.primaryDirectory, 'state', 'local-servers');
  }

  private async startFollowedBalancer(): Promise<void> {
    const { directory, node, ports, project } = this.options;
    const config = join(directory, 'haproxy.cfg');
    const socket = this.balancerSocket;
    const place = { bind: `127.0.0.1:${ports.balancer}`, socket, maxConnections: 200 };
    writeFileSync(config, renderHaproxyConfig({ servers: [], ...place }));
    const logFile = (name: string) => join(directory, 'log', `${name}.log`);
    this.balancer = new Process({
      command: findHaproxy(),
      args: ['-db', '-f', config],
      logFile: logFile('haproxy'),
    });
    await this.balancer.until('HAProxy takes commands', async () => existsSync(socket));
    const identity = ['--ssldir', join(this.primaryDirectory, 'puppet', 'ssl'), '--certname'];
    const words = ['haproxy', 'follow', '--socket', socket, '--primary', `localhost:${ports.primary}`];
    this.follower = new Process({
      command: node,
      args: [
        join(project, 'dist', 'main.js'),
        ...words,
        ...identity,
        'primary.bunraku.test',
        '--interval',
        '1',
      ],
      logFile: logFile('follower'),
    });
    await this.balancer.until('a compile server has come', () => isReady(this.balancerUrl));
  }

  /** Makes what is staged live everywhere; resolves to what the command printed. */
  async deploy(): Promise<string> {
    return this.bunraku(['code', 'deploy', '--data', this.primaryDirectory, '--wait']);
  }

  /** Runs the program to its end; resolves to its standard output. */
  async bunraku(args: readonly string[]): Promise<string> {
    const { stdout } = await run(this.options.node, [join(this.options.project, 'dist', 'main.js'), ...args]);
    return stdout;
  }

  /** A client that shows the certificate of the primary: the operator's. */
  operator(): HttpClient {
    return new HttpClient(this.operatorCredentials());
  }

  /** All PEM. */
  operatorCredentials(): { readonly ca: string; readonly certificate: string; readonly privateKey: string } {
    const ssl = join(this.primaryDirectory, 'puppet', 'ssl');
    const read = (path: string) => readFileSync(join(ssl, path), 'utf8');
    return {
      ca: read('certs/ca.pem'),
      certificate: read('certs/primary.bunraku.test.pem'),
      privateKey: read('private_keys/primary.bunraku.test.pem'),
    };
  }

  /** What stands before ends first, so that nothing fails on the way. */
  async stop(): Promise<void> {
    await this.follower?.stop();
    await this.balancer?.stop();
    await Promise.all(this.compileServers.flatMap((server) => (server === undefined ? [] : [server.stop()])));
    await this.primary?.stop();
    if (this.options.isAutoscaled === true) await this.endLocalServers();
  }

  /** They would go on for a while, in case the primary comes back. */
  private async endLocalServers(): Promise<void> {
    const directory = this.localServersDirectory;
    const entries = existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : [];
    const places = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
    await Promise.all(places.map((place) => endMarked(join(place, 'mark'), localPatienceMs)));
  }

  private startServer(name: string, args: readonly string[]): Process {
    const { directory, node, project } = this.options;
    return new Process({
      command: node,
      args: [join(project, 'dist', 'main.js'), ...args],
      logFile: join(directory, 'log', `${name}.log`),
    });
  }

  private writeConfig(data: string, settings: Readonly<Record<string, string | number | boolean>>): void {
    const lines = Object.entries({
      listen: '127.0.0.1',
      // The load balancer here looks twice a second.
      drain_delay: '1s',
      ...settings,
      ...this.options.settings,
    }).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
    writeFileSync(join(data, 'bunraku.conf'), lines.join(''));
  }
}

function brokerPort(port: number | undefined): Readonly<Record<string, number>> {
  return port === undefined ? {} : { pcp_broker_port: port };
}

/** Whether a server says that it can serve. */
export async function isReady(url: string): Promise<boolean> {
  const client = new HttpClient({});
  try {
    const answer = await client.send({ method: 'GET', url: `${url}/status/v1/simple`, timeoutMs: 2000 });
    return answer.status === 200;
  } catch {
    return false; // not listening yet
  } finally {
    client.close();
  }
}

function findHaproxy(): string {
  return existsSync('/usr/sbin/haproxy') ? '/usr/sbin/haproxy' : 'haproxy';
}
