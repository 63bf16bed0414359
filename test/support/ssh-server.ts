/** An SSH server on loopback, for this user with a key of its own. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../demo/ports.ts';

export interface SshServer {
  readonly process: ChildProcess;
  readonly port: number;
  /** The file of the private key. */
  readonly key: string;
}

/** @param more - lines for its configuration @returns once it accepts connections */
export async function startSshServer(directory: string, more: readonly string[] = []): Promise<SshServer> {
  const file = (name: string) => join(directory, `ssh-${name}`);
  for (const name of ['host', 'client'])
    execFileSync('/usr/bin/ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
  const port = await freePort();
  const settings = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('client')}.pub`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    ...more,
  ];
  writeFileSync(file('config'), settings.join('\n'));
  // Where the server wants it when the superuser starts it.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
  const process = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', file('config')], { stdio: 'ignore' });
  while (!(await accepts(port))) {
    if (process.exitCode !== null) throw new Error(`sshd has ended with the code ${process.exitCode}`);
    await sleep(20);
  }
  return { process, port, key: file('client') };
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
