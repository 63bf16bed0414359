/** A PXP agent beside a real Puppet agent: ours, or the one that `PXP_AGENT` names. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quickRuby } from '../../support/quick-ruby.ts';
import { type Agent, notOurs } from './agent.ts';

const own = join(import.meta.dirname, '..', '..', '..', 'agent', 'bin', 'pxp-agent');

export interface PxpAgentOptions {
  /** `wss://localhost:8142/pcp2/`, the first choice first. */
  readonly brokers: readonly string[];
  /** Where files of tasks come from: `https://localhost:8140`. */
  readonly server: string;
}

export class PxpAgent {
  private readonly agent: Agent;
  private readonly options: PxpAgentOptions;
  private child: ChildProcess | undefined;
  private output = '';

  /** @param agent - has its certificate */
  constructor(agent: Agent, options: PxpAgentOptions) {
    this.agent = agent;
    this.options = options;
  }

  /** What it has logged. */
  get log(): string {
    return this.output;
  }

  async start(): Promise<void> {
    const file = this.configure();
    const named = process.env['PXP_AGENT'];
    const [command, ...args] = [...this.agent.prefix, ...(named === undefined ? ['ruby', own] : [named])];
    const child = spawn(command ?? 'ruby', [...args, '--foreground', '--config-file', file], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: '/',
      env: { ...process.env, ...notOurs },
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.output += chunk.toString('utf8');
      });
    await once(child, 'spawn');
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }

  private configure(): string {
    const { certname, sslDirectory, varDirectory } = this.agent;
    const place = (...names: readonly string[]) => join(varDirectory, 'pxp', ...names);
    for (const name of ['spool', 'cache', 'modules', 'modules-config'])
      mkdirSync(place(name), { recursive: true });
    writeFileSync(
      place('pxp-agent.conf'),
      JSON.stringify({
        'broker-ws-uris': this.options.brokers,
        'pcp-version': '2',
        'primary-uris': [this.options.server],
        'ssl-ca-cert': join(sslDirectory, 'certs', 'ca.pem'),
        'ssl-cert': join(sslDirectory, 'certs', `${certname}.pem`),
        'ssl-key': join(sslDirectory, 'private_keys', `${certname}.pem`),
        'ssl-crl': join(sslDirectory, 'crl.pem'),
        'spool-dir': place('spool'),
        'task-cache-dir': place('cache'),
        // The C++ agent has the module of Puppet runs as a program.
        'modules-dir': process.env['PXP_AGENT_MODULES'] ?? place('modules'),
        'modules-config-dir': place('modules-config'),
        logfile: '-',
        loglevel: 'debug',
      }),
    );
    writeFileSync(
      place('modules-config', 'pxp-module-puppet.conf'),
      JSON.stringify({ puppet_bin: place('puppet') }),
    );
    const words = this.agent.args().map((word) => `'${word}'`);
    const variables = Object.entries(quickRuby()).map(([name, value]) => `export ${name}='${value}'\n`);
    writeFileSync(place('puppet'), `#!/bin/sh\n${variables.join('')}exec puppet "$@" ${words.join(' ')}\n`, {
      mode: 0o755,
    });
    return place('pxp-agent.conf');
  }
}
