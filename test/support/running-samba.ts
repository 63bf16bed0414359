/** An Active Directory of the tests' own: Samba as a domain controller, of which only LDAP is started, on a loopback address. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpensslAuthority } from './openssl-authority.ts';

export interface RunningSamba {
  /** Samba has no setting for the ports, which are 389 and 636. */
  readonly host: string;
  /** The authority of its certificate, in PEM. */
  readonly caFile: string;
  /** Changes entries. @param ldif - as `ldapmodify` reads it */
  modify(ldif: string): void;
  /** @returns the lines of an entry, as `ldapsearch` prints them */
  read(dn: string, attribute: string): string;
  remove(): Promise<void>;
}

export const sambaBase = 'DC=ad,DC=example,DC=com';
export const sambaAdministrator = { login: 'administrator@ad.example.com', password: 'Correct-horse-1' };

const tool = '/usr/bin/samba-tool';
const samba = '/usr/sbin/samba';

/** It listens on privileged ports. */
export const canRunSamba = process.getuid?.() === 0 && [tool, samba].every((path) => existsSync(path));

/** Without a connection, thousands of entries take seconds instead of minutes. */
const addEntries = `
import sys
from samba.samdb import SamDB
from samba.param import LoadParm
from samba.auth import system_session
parameters = LoadParm()
parameters.load(sys.argv[1])
database = SamDB(url=sys.argv[2], session_info=system_session(), lp=parameters)
database.transaction_start()
database.add_ldif(open(sys.argv[3]).read())
database.transaction_commit()
`;

/** @param ldif - entries without passwords */
export async function startSamba(ldif: string): Promise<RunningSamba> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-samba-'));
  const file = (name: string) => join(directory, name);
  const host = `127.${randomInt(64, 128)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const quiet = { stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'] };
  const attributes = `--option=posix:eadb=${file('attributes.tdb')}`;
  const domain = ['--realm=AD.EXAMPLE.COM', '--domain=AD', '--server-role=dc', '--dns-backend=NONE'];
  const password = `--adminpass=${sambaAdministrator.password}`;
  execFileSync(
    tool,
    ['domain', 'provision', ...domain, password, `--targetdir=${file('dc')}`, attributes],
    quiet,
  );
  writeFileSync(file('entries.ldif'), ldif);
  const [configuration, database] = [file('dc/etc/smb.conf'), file('dc/private/sam.ldb')];
  execFileSync('/usr/bin/python3', ['-c', addEntries, configuration, database, file('entries.ldif')], quiet);
  const authority = new OpensslAuthority('Active Directory CA');
  const { certificate, privateKey } = authority.issue('dc1', [`subjectAltName=IP:${host}`]);
  writeFileSync(file('ca.pem'), authority.certificate);
  writeFileSync(file('certificate.pem'), certificate);
  writeFileSync(file('key.pem'), privateKey, { mode: 0o600 });
  authority.remove();
  const settings = {
    'server services': 'ldap',
    interfaces: `${host}/8`,
    'bind interfaces only': 'yes',
    'tls certfile': file('certificate.pem'),
    'tls keyfile': file('key.pem'),
    'tls cafile': file('ca.pem'),
    'log file': file('log'),
    'pid directory': directory,
  };
  const options = Object.entries(settings).map(([name, value]) => `--option=${name}=${value}`);
  const args = ['-F', '--no-process-group', '-M', 'single', '-s', configuration, ...options];
  const child = spawn(samba, args, { stdio: 'ignore' });
  const ldap = (program: string, more: readonly string[], input = ''): string => {
    const { login, password: secret } = sambaAdministrator;
    return execFileSync(program, ['-x', '-H', `ldaps://${host}`, '-D', login, '-w', secret, ...more], {
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
      env: { ...process.env, LDAPTLS_CACERT: file('ca.pem') },
    });
  };
  const read = (dn: string, attribute: string) =>
    ldap('/usr/bin/ldapsearch', ['-LLL', '-o', 'ldif-wrap=no', '-s', 'base', '-b', dn, attribute]);
  await untilItAnswers(() => read(sambaBase, 'dc'), child);
  return {
    host,
    caFile: file('ca.pem'),
    modify: (changes) => void ldap('/usr/bin/ldapmodify', [], changes),
    read,
    async remove() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(look: () => unknown, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`samba has ended with the code ${child.exitCode}`);
    try {
      look();
      return;
    } catch {
      // Not ready yet.
      await sleep(200);
    }
  }
}
