/** Tests with hosts of their own need a root directory that is mounted, which that of a plain `chroot` is not. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs this very program again with `/` mounted, and ends with it, where that is needed and possible: as root in a `chroot`.
 * There, `ip netns exec` and `unshare --mount` say "cannot change root filesystem propagation".
 */
export function ensureMountedRoot(): void {
  if (process.getuid?.() !== 0 || isRootMounted()) return;
  const root = mkdtempSync(join(tmpdir(), 'bunraku-root-'));
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const within = 'cd "$1" && shift && exec "$@"';
  const script = `mount --rbind / "$0" && exec chroot "$0" sh -c '${within}' sh "$@"`;
  const args = ['--mount', '--propagation', 'unchanged', 'sh', '-c', script, root, process.cwd(), ...again];
  const { status } = spawnSync('unshare', args, { stdio: 'inherit' });
  try {
    rmdirSync(root);
  } catch {
    // A mount that others see, too, goes with theirs.
  }
  process.exit(status ?? 1);
}

function isRootMounted(): boolean {
  try {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return mounts.some((line) => line.split(' ')[4] === '/');
  } catch {
    return true; // not Linux, or no /proc: nothing is known, nothing is done
  }
}
