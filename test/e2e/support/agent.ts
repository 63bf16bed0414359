/** The real `puppet agent`, as a node of its own on this machine. */

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { HttpClient } from '../../../src/platform/http-client/index.ts';
import { quickRuby } from '../../support/quick-ruby.ts';

export interface AgentRun {
  /** With `--detailed-exitcodes`: 0 nothing to do, 2 changed, 1 failed to run, 4 and 6 resources failed. */
  readonly exitCode: number;
  /** Both streams, as a person at the terminal sees them. */
  readonly output: string;
  /** Its warnings and errors, without what Facter may not read of this machine. */
  readonly complaints: readonly string[];
  /** When each of them was printed, milliseconds since 1970. */
  readonly complainedAt: readonly number[];
}

/** All PEM. */
export interface NodeCredentials {
  readonly ca: string;
  readonly certificate: string;
  readonly privateKey: string;
}

export interface AgentOptions {
  readonly certname: string;
  readonly directory: string;
  readonly server: string;
  readonly port: number;
  /** What runs it: nothing, or `ip netns exec NAME`. */
  readonly prefix?: readonly string[];
  /** The command that is Puppet; the machine's own when absent. */
  readonly puppet?: readonly string[];
  /** Bits of its key; a short one when absent, which takes a second and a half of processor time less than Puppet's. */
  readonly keyLength?: number;
  /** Where its certificate is; its own directory when absent. Servers share it with their agents. */
  readonly sslDirectory?: string;
}

/** The agent shares its files with this machine: no run may make a compile server of that. */
export const notOurs = { FACTER_bunraku_compile_server: 'other' };

/** All places that an agent has: what is left to its defaults would be shared with the machine's own agent. */
const places = ['conf', 'var', 'ssl', 'public', 'log', 'run'];

export class Agent {
  readonly certname: string;
  private readonly options: AgentOptions;

  constructor(options: AgentOptions) {
    this.options = options;
    this.certname = options.certname;
    for (const name of places) mkdirSync(join(options.directory, name), { recursive: true });
  }

  /** What runs its programs: `ip netns exec NAME`, or nothing. */
  get prefix(): readonly string[] {
    return this.options.prefix ?? [];
  }

  /** Where pluginsync puts what it fetched. */
  get varDirectory(): string {
    return join(this.options.directory, 'var');
  }

  get sslDirectory(): string {
    return this.options.sslDirectory ?? join(this.options.directory, 'ssl');
  }

  /** One run to its end. */
  run(more: readonly string[] = []): Promise<AgentRun> {
    return this.execute(['agent', '--test', '--detailed-exitcodes'], more);
  }

  /** Any other of Puppet's commands, with the places and the server of this agent, unless `more` names others. */
  execute(words: readonly string[], more: readonly string[] = []): Promise<AgentRun> {
    const { prefix = [], puppet = ['puppet'] } = this.options;
    const [command = 'puppet', ...args] = [...prefix, ...puppet, ...words, ...this.args(), ...more];
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...quickRuby(), ...notOurs, LC_ALL: 'C.UTF-8' },
      });
      let output = '';
      const complainedAt: number[] = [];
      const collect = (piece: Buffer) => {
        output += piece.toString('utf8');
        const now = Date.now();
        const { length } = complaintsIn(output);
        while (length > complainedAt.length) complainedAt.push(now);
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      child.once('error', reject);
      child.once('close', (code) =>
        resolve({ exitCode: code ?? -1, output, complaints: complaintsIn(output), complainedAt }),
      );
    });
  }

  /** A run that must end with the given code and without a complaint. */
  async runsCleanly(exitCode: 0 | 2): Promise<AgentRun> {
    const result = await this.run();
    expect(result.complaints).toEqual([]);
    expect(result, result.output).toMatchObject({ exitCode });
    return result;
  }

  /** As a person does who wants a node to ask for a new certificate. */
  forgetCertificate(): void {
    rmSync(this.sslDirectory, { recursive: true });
    mkdirSync(this.sslDirectory);
  }

  /** What proves who it is. */
  credentials(): NodeCredentials {
    return readCredentials(this.sslDirectory, this.certname);
  }

  /** A client with this node's certificate, for requests that no agent would send. */
  client(): HttpClient {
    return new HttpClient(this.credentials());
  }

  /** What makes any of Puppet's commands one of this agent. */
  args(): readonly string[] {
    const { certname, directory, keyLength = 2048, port, server } = this.options;
    const directories = places.flatMap((name) => [
      `--${name}dir`,
      name === 'ssl' ? this.sslDirectory : join(directory, name),
    ]);
    const target = ['--server', server, '--serverport', String(port), '--certname', certname];
    return ['--color=false', '--keylength', String(keyLength), ...target, ...directories];
  }
}

/** Reads what an agent, or a server, keeps in its `ssldir`. */
export function readCredentials(sslDirectory: string, certname: string): NodeCredentials {
  const read = (path: string) => readFileSync(join(sslDirectory, path), 'utf8');
  return {
    ca: read('certs/ca.pem'),
    certificate: read(`certs/${certname}.pem`),
    privateKey: read(`private_keys/${certname}.pem`),
  };
}

function complaintsIn(output: string): readonly string[] {
  return output.split('\n').filter((line) => /^(Alert|Critical|Error|Warning): (?!Facter: )/.test(line));
}
