/** A copy of this machine that systemd boots: on a network namespace of its own, its files on an overlay in memory. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTextIfThere } from '../../../src/lib/if-there.ts';
import type { Outcome } from './joining.ts';
import { until } from './until.ts';

const systemd = '/usr/lib/systemd/systemd';

/**
 * Mounts the copy and becomes its first process. Its services have groups below one of their own, wherever this machine
 * mounts groups of processes: `$2` names it.
 */
const boot = `set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/changes" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/changes,workdir=$1/work" "$1/root"
root="$1/root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t sysfs -o ro sysfs "$root/sys"
for own in tmp run; do mount -t tmpfs -o mode=1777 tmpfs "$root/$own"; done
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
else
  mount -t tmpfs tmpfs "$root/sys/fs/cgroup"
  mkdir "$root/sys/fs/cgroup/systemd" "$root/sys/fs/cgroup/unified"
  mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup/unified"
fi
rm -rf "$root"/etc/systemd/system/*.wants
# The names that the network has, which are mounted over this machine's.
cp /etc/hosts "$root/etc/hosts"
mkdir -p "$root/seed"
cp -a "$2"/. "$root/seed/"
chroot "$root" sh /seed/prepare
exec chroot "$root" env -i container=test PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
  ${systemd} --system --unit=booted.target --log-target=console --show-status=no
`;

/** What the copy starts: no login, no timers, and none of this machine's services. */
const target = `[Unit]
Description=All that this copy starts
Requires=systemd-journald.service dbus.service
After=systemd-journald.service dbus.service
`;

export class BootedMachine {
  private readonly process: ChildProcess;
  private readonly directory: string;
  private readonly group: string;
  private output = '';

  /**
   * @param prefix - what runs a command in the machine's network
   * @param seed - a directory that is `/seed` on the machine; its script `prepare` runs before systemd does
   */
  constructor(prefix: readonly string[], seed: string) {
    this.directory = mkdtempSync(join(tmpdir(), 'bunraku-booted-'));
    this.group = `bunraku-${process.pid}-${Date.now()}`;
    writeFileSync(join(seed, 'booted.target'), target);
    // The process moves into a group of its own before it gets a view of groups that begins there.
    const move = groupRoots()
      .map((root) => `mkdir '${root}/${this.group}' && echo $$ > '${root}/${this.group}/cgroup.procs'`)
      .join('\n');
    const script = `set -e\n${move}\nexec unshare --mount --pid --uts --ipc --cgroup --fork --kill-child sh -c "$3" sh "$1" "$2"`;
    const words = [...prefix, 'sh', '-c', script, 'sh', this.directory, seed, boot];
    this.process = spawn(words[0] ?? 'sh', words.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.on('data', (text: Buffer) => {
        this.output += text.toString('utf8');
      });
  }

  /** Why nothing can be booted here; empty when it can. */
  static obstacle(): string {
    if (process.getuid?.() !== 0) return 'only root can boot a copy of this machine';
    if (!existsSync(systemd)) return 'Debian package systemd is missing';
    if (groupRoots().length === 0) return 'no groups of processes are mounted here';
    return '';
  }

  /** Resolves when systemd takes commands. @throws Error with what it wrote when it ends before */
  async booted(): Promise<void> {
    await until('systemd takes commands', async () => {
      if (this.process.exitCode !== null) throw new Error(`systemd has ended: ${this.output}`);
      const { exitCode } = await this.run('systemctl is-active booted.target');
      return exitCode === 0;
    });
  }

  /** Runs a script of the shell on the machine, as root. */
  run(script: string): Promise<Outcome> {
    const first = this.firstProcess();
    if (first === undefined) return Promise.resolve({ exitCode: -1, output: 'not booted' });
    return runInside(first, ['pid', 'uts', 'ipc', 'cgroup'], script);
  }

  async stop(): Promise<void> {
    this.process.kill('SIGKILL');
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, 'exit');
    await until('its groups are gone', () =>
      groupRoots().every((root) => removeGroups(join(root, this.group))),
    );
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** The number that systemd has here: it is the only child of `unshare`, which this process has become. */
  private firstProcess(): string | undefined {
    const { pid } = this.process;
    const children = readTextIfThere(`/proc/${pid}/task/${pid}/children`) ?? '';
    return children.split(' ').find((child) => child !== '' && isSystemd(child));
  }
}

/**
 * Runs a script of the shell beside a process: with its network, its files and its root.
 *
 * @param kinds - of the other namespaces of the process
 */
export function runInside(pid: string, kinds: readonly string[], script: string): Promise<Outcome> {
  const namespaces = ['mount', 'net', ...kinds].map((kind) => `--${kind}`);
  const words = ['--target', pid, ...namespaces, '--root', '--wd', 'sh', '-c', script];
  return new Promise((resolve) => {
    const child = spawn('nsenter', words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        output += text.toString('utf8');
      });
    child.once('close', (code) => resolve({ exitCode: code ?? -1, output }));
  });
}

function isSystemd(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'systemd';
  } catch {
    return false; // it has just ended
  }
}

/** Where groups of processes are mounted that systemd uses: one hierarchy, or the two of older machines. */
function groupRoots(): readonly string[] {
  const base = '/sys/fs/cgroup';
  if (existsSync(join(base, 'cgroup.controllers'))) return [base];
  return ['systemd', 'unified', 'pids', 'devices', 'memory']
    .map((name) => join(base, name))
    .filter((root) => existsSync(join(root, 'cgroup.procs')));
}

/** @returns whether the group and all below it are gone */
function removeGroups(group: string): boolean {
  if (!existsSync(group)) return true;
  try {
    for (const entry of readdirSync(group, { withFileTypes: true }))
      if (entry.isDirectory() && !removeGroups(join(group, entry.name))) return false;
    rmdirSync(group);
    return true;
  } catch {
    return false; // processes in it still end
  }
}
