/** Debian's `puppetserver` and its `puppetserver ca`, with files and ports of their own. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quickRuby } from '../support/quick-ruby.ts';

const jar = '/usr/share/puppetserver/puppetserver.jar';
const packagedConfiguration = '/etc/puppet/puppetserver';
const startTimeoutMs = 600_000;
/** What encrypted data needs: in Debian, packages for another Ruby. */
const debianGems = [
  ...globSync('/usr/share/rubygems-integration/all/gems/{hiera-eyaml,optimist}-*/lib'),
  '/usr/lib/ruby/vendor_ruby',
];

export const hasPuppetserver = existsSync(jar);

export interface CommandResult {
  readonly exitCode: number;
  readonly output: string;
}

export interface RealPlaces {
  readonly base: string;
  readonly certname: string;
  readonly port: number;
  /** The value of `autosign`. */
  readonly autosign?: string;
  /** JRuby instances; 1 when absent. */
  readonly instances?: number;
  /** More of `puppet.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** More files of `conf.d`, or others in place of the usual ones: name -> text. */
  readonly serverConf?: Readonly<Record<string, string>>;
}

/** Where everything of one real server is. */
export class RealPuppetserver {
  readonly caDir: string;
  readonly sslDir: string;
  readonly confDir: string;
  readonly port: number;
  private readonly places: RealPlaces;
  private child: ChildProcess | undefined;
  private log = '';

  constructor(places: RealPlaces) {
    this.places = places;
    this.port = places.port;
    this.confDir = join(places.base, 'conf');
    this.caDir = join(places.base, 'ca');
    this.sslDir = join(places.base, 'ssl');
    for (const name of ['conf', 'code', 'var', 'run', 'log', 'server'])
      mkdirSync(join(places.base, name), { recursive: true });
    writeFileSync(join(this.confDir, 'puppet.conf'), this.puppetConf());
  }

  /** Runs `puppetserver ca`. */
  ca(...args: readonly string[]): Promise<CommandResult> {
    const [action = '', ...rest] = args;
    return run('puppetserver', ['ca', action, '--config', join(this.confDir, 'puppet.conf'), ...rest]);
  }

  /** Starts the server and waits until it answers. */
  async start(): Promise<void> {
    const { base } = this.places;
    this.writeServerConfiguration();
    this.child = spawn('java', this.javaArguments(), {
      cwd: '/usr/share/puppetserver',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, HOME: base },
    });
    this.child.stdout?.on('data', (chunk: Buffer) => this.keep(chunk));
    this.child.stderr?.on('data', (chunk: Buffer) => this.keep(chunk));
    const deadlineMs = Date.now() + startTimeoutMs;
    while (Date.now() < deadlineMs && this.child.exitCode === null) {
      if (await this.answers()) return;
      await sleep(250);
    }
    await this.stop();
    throw new Error(`puppetserver did not start:\n${this.log.slice(-4000)}`);
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(timer);
  }

  /** Of the Java process. */
  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get output(): string {
    return this.log;
  }

  private keep(chunk: Buffer): void {
    this.log = (this.log + chunk.toString('utf8')).slice(-100_000);
  }

  private puppetConf(): string {
    const { autosign, base, certname, port, settings = {} } = this.places;
    const more = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    return `[main]
certname = ${certname}
server = ${certname}
serverport = ${port}
ssldir = ${join(base, 'ssl')}
cadir = ${join(base, 'ca')}
confdir = ${this.confDir}
vardir = ${join(base, 'var')}
keylength = 2048
${autosign === undefined ? '' : `autosign = ${autosign}\n`}${more.join('')}`;
  }

  private writeServerConfiguration(): void {
    const { base, instances = 1, port, serverConf = {} } = this.places;
    const target = join(base, 'server');
    mkdirSync(join(target, 'services.d'), { recursive: true });
    mkdirSync(join(target, 'conf.d'), { recursive: true });
    writeFileSync(
      join(target, 'services.d', 'bootstrap.cfg'),
      ['bootstrap.cfg', 'ca.cfg']
        .map((name) => readFileSync(join(packagedConfiguration, 'services.d', name), 'utf8'))
        .join('\n'),
    );
    for (const name of ['auth.conf', 'web-routes.conf', 'metrics.conf'])
      writeFileSync(join(target, 'conf.d', name), readFileSync(join(packagedConfiguration, 'conf.d', name)));
    writeFileSync(join(target, 'logback.xml'), logback);
    const conf: Readonly<Record<string, string>> = {
      'global.conf': `global: { logging-config: "${join(target, 'logback.xml')}" }\n`,
      'webserver.conf': `webserver: { client-auth: want, ssl-host: 127.0.0.1, ssl-port: ${port} }\n`,
      'ca.conf':
        'certificate-authority: { allow-subject-alt-names: true, allow-authorization-extensions: true }\n',
      'product.conf': 'product: { check-for-updates: false }\n',
      'puppetserver.conf': `jruby-puppet: {
  ruby-load-path: [/usr/lib/puppetserver/ruby/vendor_ruby, ${debianGems.join(', ')}]
  gem-home: "${join(base, 'var', 'gems')}"
  gem-path: ["\${jruby-puppet.gem-home}", /usr/lib/puppetserver/vendored-jruby-gems]
  server-conf-dir: "${this.confDir}"
  server-code-dir: "${join(base, 'code')}"
  server-var-dir: "${join(base, 'var')}"
  server-run-dir: "${join(base, 'run')}"
  server-log-dir: "${join(base, 'log')}"
  max-active-instances: ${instances}
}
http-client: {}
profiler: { enabled: false }
`,
      ...serverConf,
    };
    for (const [name, text] of Object.entries(conf)) writeFileSync(join(target, 'conf.d', name), text);
    chmodSync(this.places.base, 0o755);
  }

  private javaArguments(): readonly string[] {
    const target = join(this.places.base, 'server');
    return [
      '-Xms512m',
      '-Xmx1g',
      '-Djruby.logger.class=com.puppetlabs.jruby_utils.jruby.Slf4jLogger',
      '-Djruby.lib=/usr/share/jruby/lib',
      '-jar',
      jar,
      '--config',
      join(target, 'conf.d'),
      '--bootstrap-config',
      join(target, 'services.d'),
    ];
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: this.places.port,
          path: '/status/v1/simple',
          rejectUnauthorized: false,
          agent: false,
        },
        (response) => {
          response.resume();
          resolve(response.statusCode === 200);
        },
      );
      outgoing.on('error', () => resolve(false));
      outgoing.end();
    });
  }
}

const logback = `<configuration>
  <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%d %-5p [%t] [%c{2}] %m%n</pattern></encoder>
  </appender>
  <root level="warn"><appender-ref ref="STDOUT"/></root>
</configuration>
`;

/** Any program, with both streams in one. */
export function run(command: string, args: readonly string[], input?: string): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      [...args],
      { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...quickRuby(), LC_ALL: 'C.UTF-8' } },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ exitCode: code, output: stdout + stderr });
      },
    );
    // A program that reads no input may have ended before it gets any: its exit code says how it went.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
