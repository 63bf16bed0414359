/** Compile servers that join by the command line, as a person types it. */

import { execFile, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isReady } from '../../../demo/installation.ts';
import { freePort } from '../../../demo/ports.ts';
import { Process } from '../../../demo/process.ts';
import { type Absent, without } from './machine-without.ts';
import type { Site } from './site.ts';
import { until } from './until.ts';

export interface Outcome {
  readonly exitCode: number;
  /** Both streams. */
  readonly output: string;
}

export class JoiningServer {
  readonly certname: string;
  readonly data: string;
  readonly port: number;
  private readonly site: Site;
  /** A directory of this machine that is not on the server's. */
  private absent: Absent | undefined;
  private process: Process | undefined;

  private constructor(site: Site, certname: string, port: number) {
    this.site = site;
    this.certname = certname;
    this.port = port;
    this.data = join(site.directory, certname);
    mkdirSync(this.data, { recursive: true });
  }

  static async create(site: Site, certname: string): Promise<JoiningServer> {
    return new JoiningServer(site, certname, await freePort());
  }

  /** Its processes see an empty directory in place of one, as on a machine of their own. To be called before `start`. */
  lacks(directory: string, more: Omit<Absent, 'directory'> = {}): this {
    this.absent = { directory, ...more };
    return this;
  }

  get url(): string {
    return `https://localhost:${this.port}`;
  }

  get sslDirectory(): string {
    return join(this.data, 'puppet', 'ssl');
  }

  /** `bunraku compile-server join` to its end. */
  join(...more: readonly string[]): Promise<Outcome> {
    return run(this.site, [...this.joinWords(), ...more]);
  }

  /** The same, ended after so long as a power failure would. */
  async joinUntilKilled(afterMs: number, ...more: readonly string[]): Promise<void> {
    const { node, project } = this.site.installation.options;
    const words = [join(project, 'dist', 'main.js'), ...this.joinWords(), ...more];
    const child = spawn(node, words, { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await sleep(afterMs);
    child.kill('SIGKILL');
    await ended;
  }

  /** Starts the server with what joining has written. */
  async start(...more: readonly string[]): Promise<void> {
    this.launch(...more);
    await until(`${this.certname} is ready`, () => isReady(this.url));
  }

  /** The same without waiting for it. */
  launch(...more: readonly string[]): void {
    const { node, project } = this.site.installation.options;
    const words = [node, join(project, 'dist', 'main.js'), 'compile-server', '--data', this.data, ...more];
    const [command = '', ...args] = this.absent === undefined ? words : [...without(this.absent), ...words];
    const logFile = join(this.site.directory, 'log', `${this.certname}.log`);
    this.process = new Process({ command, args, logFile });
  }

  get isRunning(): boolean {
    return this.process?.isRunning === true;
  }

  /** As systemd ends it: resolves to the exit code. */
  async stop(): Promise<number | null> {
    return (await this.process?.stop()) ?? null;
  }

  async kill(): Promise<void> {
    await this.process?.kill();
  }

  leave(...more: readonly string[]): Promise<Outcome> {
    return run(this.site, ['compile-server', 'leave', '--data', this.data, ...more]);
  }

  /** The same through another server. */
  joinThrough(url: string, ...more: readonly string[]): Promise<Outcome> {
    return run(this.site, [...this.joinWords(url), ...more]);
  }

  private joinWords(url?: string): readonly string[] {
    const primary = url ?? `https://localhost:${this.site.installation.options.ports.primary}`;
    const names = ['--certname', this.certname, '--dns-alt-names', 'puppet,localhost'];
    const port = ['--listen', '127.0.0.1', '--serverport', String(this.port)];
    return ['compile-server', 'join', primary, '--data', this.data, ...names, ...port, '--drain-delay', '1s'];
  }
}

/** Runs the program to its end, whatever that is. */
export function run(site: Site, args: readonly string[]): Promise<Outcome> {
  const { node, project } = site.installation.options;
  return new Promise((resolve) => {
    execFile(node, [join(project, 'dist', 'main.js'), ...args], (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ exitCode, output: stdout + stderr });
    });
  });
}

interface StatusEntry {
  readonly service: string;
  readonly server: string;
  readonly state: string;
}

/** The state of a server's Puppet Server, as the operator sees it; `undefined` for an unknown server. */
export async function stateOf(site: Site, certname: string): Promise<string | undefined> {
  const { services } = (await ask(site, '/infrastructure/v1/status')) as { services: readonly StatusEntry[] };
  return services.find(({ server, service }) => server === certname && service === 'pe-master')?.state;
}

/** Whether a request of that name waits for a signature. */
export async function hasAsked(site: Site, certname: string): Promise<boolean> {
  const statuses = await ask(site, '/puppet-ca/v1/certificate_statuses/any?state=requested');
  return (statuses as readonly { name: string }[]).some(({ name }) => name === certname);
}

/** In this process: commands take a second of the processor each, and waiting asks often. */
async function ask({ installation }: Site, path: string): Promise<unknown> {
  const client = installation.operator();
  try {
    const answer = await client.send({ method: 'GET', url: `${installation.primaryUrl}${path}` });
    return JSON.parse(answer.body.toString('utf8'));
  } finally {
    client.close();
  }
}
