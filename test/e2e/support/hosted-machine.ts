/** A copy of this machine on a network namespace, for as long as a scenario needs it: its files are on an overlay in memory. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTextIfThere } from '../../../src/lib/if-there.ts';
import type { AgentRun } from './agent.ts';
import { runInside } from './booted-machine.ts';
import type { Outcome } from './joining.ts';
import { until } from './until.ts';

/**
 * Mounts the copy, with the names of the network and without this machine's Puppet files. Its first process is a shell, which reaps
 * processes that have lost their parent.
 */
const enter = `set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/changes" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/changes,workdir=$1/work" "$1/root"
root="$1/root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for own in tmp run; do mount -t tmpfs -o mode=1777 tmpfs "$root/$own"; done
cp /etc/hosts "$root/etc/hosts"
rm -rf "$root"/etc/puppet/* "$root"/etc/puppetlabs "$root"/opt/bunraku "$root"/opt/puppetlabs "$root"/usr/bin/bunraku
find "$root/var/lib/puppet" -mindepth 1 -delete
exec chroot "$root" bash -c 'trap : TERM; touch /ready; while true; do sleep infinity & wait; done'
`;

export class HostedMachine {
  private readonly directory = mkdtempSync(join(tmpdir(), 'bunraku-hosted-'));
  private readonly prefix: readonly string[];
  private process: ChildProcess | undefined;

  /** @param prefix - what runs a command in the machine's network */
  constructor(prefix: readonly string[]) {
    this.prefix = prefix;
  }

  /** Resolves when it takes commands. @param config - of its agent */
  async start(config: string): Promise<void> {
    const unshare = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh'];
    const [program, ...words] = [...this.prefix, ...unshare, this.directory];
    this.process = spawn(program, words, { stdio: 'ignore' });
    await until('the machine is there', async () => (await this.run('test -e /ready')).exitCode === 0);
    await this.run(`cat > /etc/puppet/puppet.conf << 'END'\n${config}END`);
  }

  /** Runs a script of the shell as root. */
  run(script: string): Promise<Outcome> {
    const pid = this.process?.pid;
    const first = readTextIfThere(`/proc/${pid}/task/${pid}/children`)?.trim().split(' ')[0] ?? '';
    return first === '' ? Promise.resolve({ exitCode: -1, output: '' }) : runInside(first, ['pid'], script);
  }

  /** One run of the machine's own agent. */
  async agent(more = ''): Promise<Pick<AgentRun, 'exitCode' | 'output'>> {
    return await this.run(`LC_ALL=C.UTF-8 puppet agent --test --detailed-exitcodes --color=false ${more}`);
  }

  async stop(): Promise<void> {
    this.process?.kill('SIGKILL');
    if (this.process?.exitCode === null && this.process.signalCode === null) await once(this.process, 'exit');
    rmSync(this.directory, { recursive: true, force: true });
  }
}
