/** A directory of the tests' own: Debian's slapd, in a temporary directory, on loopback only. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../demo/ports.ts';

export interface RunningSlapd {
  readonly port: number;
  /** For TLS from the first byte; 0 without a certificate. */
  readonly tlsPort: number;
  /** Changes entries. @param ldif - as `ldapmodify` reads it */
  modify(ldif: string): void;
  /** Kills it; the ports refuse connections until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Brings it back to what was there from the start, if anything has changed. */
  reset(): Promise<void>;
  /** Stops it and removes what it kept. */
  remove(): Promise<void>;
}

export interface SlapdOptions {
  /** What is there from the start. */
  readonly ldif: string;
  /** Names of schema files in `/etc/ldap/schema`, besides those of people and groups. */
  readonly schemas?: readonly string[];
  /** In PEM. */
  readonly tls?: { readonly certificate: string; readonly privateKey: string };
  /** More lines for the configuration of the database. */
  readonly database?: readonly string[];
}

const slapd = '/usr/sbin/slapd';
const slapadd = '/usr/sbin/slapadd';
const ldapmodify = '/usr/bin/ldapmodify';

export const isSlapdInstalled = [slapd, slapadd, ldapmodify].every((path) => existsSync(path));

/** Of every directory here, with the user and the password who may change it. */
export const slapdSuffix = 'dc=example,dc=com';
export const slapdManager = { dn: `cn=manager,${slapdSuffix}`, password: 'manager password' };

export async function startSlapd(options: SlapdOptions): Promise<RunningSlapd> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-slapd-'));
  const file = (name: string) => join(directory, name);
  const port = await freePort();
  const tlsPort = options.tls === undefined ? 0 : await freePort();
  mkdirSync(file('data'));
  if (options.tls !== undefined) {
    writeFileSync(file('certificate.pem'), options.tls.certificate);
    writeFileSync(file('key.pem'), options.tls.privateKey, { mode: 0o600 });
  }
  writeFileSync(file('slapd.conf'), configuration(directory, options));
  writeFileSync(file('entries.ldif'), options.ldif);
  execFileSync(slapadd, ['-q', '-f', file('slapd.conf'), '-l', file('entries.ldif')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const plain = `ldap://127.0.0.1:${port}`;
  const addresses = tlsPort === 0 ? plain : `${plain} ldaps://127.0.0.1:${tlsPort}`;
  cpSync(file('data'), file('origin'), { recursive: true });
  let child: ChildProcess | undefined;
  let isChanged = false;
  const start = async () => {
    child = spawn(slapd, ['-d', '0', '-f', file('slapd.conf'), '-h', addresses], { stdio: 'ignore' });
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`slapd has ended with the code ${child.exitCode}`);
      await sleep(10);
    }
  };
  const stop = async () => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const gone = once(running, 'exit');
    running.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    port,
    tlsPort,
    modify(ldif) {
      isChanged = true;
      const { dn, password } = slapdManager;
      execFileSync(ldapmodify, ['-x', '-H', plain, '-D', dn, '-w', password], {
        input: ldif,
        stdio: ['pipe', 'ignore', 'pipe'],
      });
    },
    start,
    stop,
    async reset() {
      if (!isChanged && child !== undefined) return;
      await stop();
      await rm(file('data'), { recursive: true });
      cpSync(file('origin'), file('data'), { recursive: true });
      isChanged = false;
      await start();
    },
    async remove() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function configuration(directory: string, { database = [], schemas = [], tls }: SlapdOptions): string {
  const included = ['core', 'cosine', 'inetorgperson', ...schemas];
  return [
    ...included.map((name) => `include /etc/ldap/schema/${name}.schema`),
    `pidfile ${join(directory, 'slapd.pid')}`,
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    ...(tls === undefined
      ? []
      : [
          `TLSCertificateFile ${join(directory, 'certificate.pem')}`,
          `TLSCertificateKeyFile ${join(directory, 'key.pem')}`,
        ]),
    'database mdb',
    'maxsize 268435456',
    `suffix "${slapdSuffix}"`,
    `rootdn "${slapdManager.dn}"`,
    `rootpw "${slapdManager.password}"`,
    `directory ${join(directory, 'data')}`,
    'dbnosync',
    'index objectClass,uid,cn eq',
    ...database,
    '',
  ].join('\n');
}

async function accepts(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
