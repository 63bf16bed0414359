/** A copy of this machine that nothing survives: its files on an overlay in memory, its processes in a namespace. */

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface MachineRun {
  readonly exitCode: number;
  readonly output: string;
}

/** Mounts the copy and runs what standard input says in it; everything is gone with the namespaces. */
const enter = `set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/changes" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/changes,workdir=$1/work" "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mount --rbind /sys "$1/root/sys"
exec chroot "$1/root" bash /run-in-machine
`;

/** Why there can be none here; empty when there can. */
export function machineObstacle(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-machine-'));
  const script = enter.replace('exec chroot', 'echo true > "$1/root/run-in-machine"\nexec chroot');
  const { status, stderr } = spawnSync(
    'unshare',
    ['-m', '-p', '--fork', 'sh', '-c', script, 'sh', directory],
    {
      encoding: 'utf8',
    },
  );
  rmSync(directory, { recursive: true });
  return status === 0
    ? ''
    : `a copy of this machine can't be made here (${stderr.trim().split('\n').at(-1)})`;
}

/** Runs a script of bash as root of a new copy. */
export function runInMachine(script: string): Promise<MachineRun> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-machine-'));
  const file = join(directory, 'script');
  writeFileSync(file, script);
  // The script is put into the copy before anything runs there.
  const prepared = enter.replace('exec chroot', `cp "$2" "$1/root/run-in-machine"\nexec chroot`);
  const mountPoint = mkdtempSync(join(tmpdir(), 'bunraku-machine-'));
  return new Promise((resolve, reject) => {
    const args = ['-m', '-p', '--fork', '--kill-child', 'sh', '-c', prepared, 'sh', mountPoint, file];
    const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (piece: Buffer) => {
      output += piece.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => {
      rmSync(directory, { recursive: true });
      rmSync(mountPoint, { recursive: true });
      resolve({ exitCode: code ?? -1, output });
    });
  });
}
