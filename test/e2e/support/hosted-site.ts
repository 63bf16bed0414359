/** Servers of an installation on hosts of their own (network namespaces), with their real names and Puppet's port. */

import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { Process } from '../../../demo/process.ts';
import { Agent } from './agent.ts';
import { copyExample } from './example.ts';
import type { Outcome } from './joining.ts';
import { Network } from './network.ts';

type Settings = Readonly<Record<string, string | number | boolean>>;

export class HostedSite {
  readonly directory = mkdtempSync(join(tmpdir(), 'bunraku-e2e-hosted-'));
  readonly network: Network;
  private readonly processes = new Map<string, Process>();
  private readonly primary: string;
  private readonly altNames: string;

  /** @param hosts - full names; the first is the primary's */
  constructor(hosts: readonly string[], altNames = 'puppet') {
    this.network = new Network(hosts);
    this.primary = hosts[0] ?? '';
    this.altNames = altNames;
  }

  /** Runs a program on a host until the site stops. @param name - where the host has another one already */
  start(host: string, command: readonly string[], name = host): Process {
    // A server is started anew under its name when it has ended; anything else would never be stopped.
    if (this.processes.get(name)?.isRunning === true) throw new Error(`${name} runs already`);
    const [program = 'ip', ...args] = [...this.network.on(host), ...command];
    const started = new Process({ command: program, args, logFile: join(this.directory, `${name}.log`) });
    this.processes.set(name, started);
    return started;
  }

  /** What runs on a host. */
  running(host: string): Process {
    const found = this.processes.get(host);
    if (found === undefined) throw new Error(`nothing runs on ${host}`);
    return found;
  }

  /** Resolves when it is ready, as a client elsewhere sees it. */
  async startPrimary(manifest: string, settings: Settings = {}): Promise<void> {
    const environment = join(this.directory, this.primary, 'code-staging', 'environments', 'production');
    copyExample(environment, join(this.directory, 'managed'));
    writeFileSync(join(environment, 'manifests', 'site.pp'), manifest);
    const started = this.startServer(this.primary, 'primary', {
      autosign: 'true',
      allow_subject_alt_names: true,
      allow_authorization_extensions: true,
      keylength: 2048,
      ...settings,
    });
    await started.until('the primary is ready', () => this.isReady(this.primary));
  }

  async startCompileServer(host: string, settings: Settings = {}): Promise<void> {
    const started = this.startServer(host, 'compile-server', { primary: this.primary, ...settings });
    await started.until(`${host} is ready`, () => this.isReady(host));
  }

  /** A server of a split installation, which answers on a port of its own. */
  async startMember(host: string, role: 'puppetdb' | 'console'): Promise<void> {
    const started = this.startServer(host, role, { primary: this.primary });
    const port = role === 'puppetdb' ? 8081 : 4433;
    await started.until(`${host} is ready`, () => this.isReady(host, port));
  }

  /** A server that takes everything from its agent's `puppet.conf` and `ssldir`, as an old master does. */
  async startOnAgent(host: string, settings: Settings = {}): Promise<void> {
    const agent = join(this.directory, 'agents', host);
    const places = { confdir: join(agent, 'conf'), ssldir: join(agent, 'ssl') };
    const started = this.startServer(host, 'compile-server', { ...places, ...settings });
    await started.until(`${host} is ready`, () => this.isReady(host));
  }

  /** A command of ours on a host, to its end. */
  command(host: string, words: readonly string[]): Promise<Outcome> {
    return this.run(host, [process.execPath, this.program, ...words]);
  }

  /** What curl prints. @throws Error when it fails */
  async curl(host: string, words: readonly string[]): Promise<string> {
    const { exitCode, output } = await this.run(host, ['curl', ...words]);
    if (exitCode !== 0) throw new Error(`curl ${words.join(' ')} ended with ${exitCode}: ${output}`);
    return output;
  }

  /** The bundled program. */
  get program(): string {
    return join(inject('program'), 'dist', 'main.js');
  }

  private run(host: string, command: readonly string[]): Promise<Outcome> {
    const [file = 'ip', ...args] = [...this.network.on(host), ...command];
    return new Promise((resolve) => {
      execFile(file, args, (error, stdout, stderr) =>
        resolve({ exitCode: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    });
  }

  /** The data directory of a server. */
  dataOf(host: string): string {
    return join(this.directory, host);
  }

  /** Asked on the same host: names and ports are those of agents. */
  isReady(host: string, port = 8140): Promise<boolean> {
    const ask = ['curl', '--insecure', '--silent', '--fail', '--max-time', '2', '--output', '/dev/null'];
    const [program, ...args] = [...this.network.on(host), ...ask, `https://${host}:${port}/status/v1/simple`];
    return Promise.resolve(spawnSync(program ?? 'ip', args).status === 0);
  }

  agent(host: string, server: string): Agent {
    return new Agent({
      certname: host,
      directory: join(this.directory, 'agents', host),
      server,
      port: 8140,
      prefix: this.network.on(host),
    });
  }

  /** The Puppet agent of a server, which has the server's certificate. */
  agentOf(host: string, server: string): Agent {
    return new Agent({
      certname: host,
      directory: join(this.directory, 'agents', host),
      server,
      port: 8140,
      prefix: this.network.on(host),
      sslDirectory: join(this.dataOf(host), 'puppet', 'ssl'),
    });
  }

  /** The last to be started ends first. */
  async stop(): Promise<void> {
    for (const running of [...this.processes.values()].toReversed()) {
      running.signal('SIGCONT');
      await running.stop();
    }
    this.network.remove();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private startServer(host: string, role: string, settings: Settings): Process {
    const data = this.dataOf(host);
    mkdirSync(data, { recursive: true });
    const all = { certname: host, dns_alt_names: this.altNames, drain_delay: '1s', ...settings };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
    writeFileSync(join(data, 'bunraku.conf'), lines.join(''));
    return this.start(host, [process.execPath, this.program, role, '--data', data]);
  }
}
