/** Our PXP agent as a process of its own, with a directory of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpensslAuthority, type TestCertificate } from '../support/openssl-authority.ts';
import type { Identity } from './test-broker.ts';

/** Ours, or a C++ pxp-agent to compare the tests themselves with. */
const program =
  process.env['PXP_AGENT'] ?? join(import.meta.dirname, '..', '..', 'agent', 'bin', 'pxp-agent');
const isOurs = process.env['PXP_AGENT'] === undefined;

/** One authority with a broker's and an agent's certificate. */
export class TestSite {
  readonly directory = mkdtempSync(join(tmpdir(), 'bunraku-pxp-'));
  readonly authority = new OpensslAuthority('Test CA');
  readonly broker: Identity;
  readonly certname = 'agent01.example.vm';

  constructor() {
    this.broker = this.identity('localhost', ['subjectAltName=DNS:localhost']);
    this.writeSsl(this.authority.issue(this.certname));
  }

  identity(certname: string, extensions: readonly string[] = []): Identity {
    return { ...this.authority.issue(certname, extensions), ca: this.authority.certificate };
  }

  writeSsl({ certificate, privateKey }: TestCertificate): void {
    writeFileSync(this.path('ca.pem'), this.authority.certificate);
    writeFileSync(this.path('cert.pem'), certificate);
    writeFileSync(this.path('key.pem'), privateKey);
    this.writeCrl();
  }

  writeCrl(): void {
    writeFileSync(this.path('crl.pem'), this.authority.crl());
  }

  path(...names: readonly string[]): string {
    return join(this.directory, ...names);
  }

  spoolEntries(): readonly string[] {
    return readdirSync(this.path('spool'));
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
    this.authority.remove();
  }
}

export class RunningAgent {
  private readonly site: TestSite;
  private readonly settings: Readonly<Record<string, unknown>>;
  private child: ChildProcess | undefined;
  private output = '';

  constructor(site: TestSite, settings: Readonly<Record<string, unknown>>) {
    this.site = site;
    this.settings = settings;
  }

  start(): void {
    const { site } = this;
    for (const name of ['modules', 'modules-config', 'spool', 'cache'])
      mkdirSync(site.path(name), { recursive: true });
    const conf = {
      'pcp-version': '2',
      'ssl-ca-cert': site.path('ca.pem'),
      'ssl-cert': site.path('cert.pem'),
      'ssl-key': site.path('key.pem'),
      'ssl-crl': site.path('crl.pem'),
      'spool-dir': site.path('spool'),
      'task-cache-dir': site.path('cache'),
      'modules-dir': site.path('modules'),
      'modules-config-dir': site.path('modules-config'),
      logfile: '-',
      loglevel: 'debug',
      ...this.settings,
    };
    writeFileSync(site.path('pxp-agent.conf'), JSON.stringify(conf));
    const options = ['--foreground', '--config-file', site.path('pxp-agent.conf')];
    const child = spawn(isOurs ? 'ruby' : program, isOurs ? [program, ...options] : options, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: '/',
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LANG: 'C.UTF-8' },
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.output += chunk.toString('utf8');
      });
  }

  /** What it has logged. */
  get log(): string {
    return this.output;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** By all reads since it started. */
  bytesRead(): number {
    return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${this.pid}/io`, 'utf8'))?.[1]);
  }

  /** @returns the exit code, or the signal */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string | null> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined) return null;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode;
    const ended = new Promise<number | string | null>((resolve) => {
      child.once('exit', (code, name) => resolve(code ?? name));
    });
    child.kill(signal);
    return await ended;
  }

  /** A file of an action's directory. */
  spoolFile(transactionId: string, name: string): string {
    return readFileSync(this.site.path('spool', transactionId, name), 'utf8');
  }
}
