/** Processes that see an empty directory in place of one of this machine, as on a machine of their own. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Absent {
  readonly directory: string;
  /** Nothing may be written in the empty one. */
  readonly isReadOnly?: boolean;
}

/** What runs a command where nothing but an empty directory is at a path. */
export function without({ directory, isReadOnly = false }: Absent): readonly string[] {
  const script = 'mount -t tmpfs -o "$2" tmpfs "$1" && shift 2 && exec "$@"';
  const mode = isReadOnly ? 'ro' : 'rw';
  // Other users need a namespace of users for that, which a changed root forbids.
  const asRoot = process.geteuid?.() === 0 ? [] : ['--map-root-user'];
  return ['unshare', ...asRoot, '--mount', 'sh', '-c', script, 'sh', directory, mode];
}

/** Why there can be no such place here; empty when there can. */
export function lackObstacle(): string {
  const { status, stderr } = spawnSync('env', [...without({ directory: '/mnt' }), 'true'], {
    encoding: 'utf8',
  });
  return status === 0 ? '' : `no process can be kept from a directory here (${stderr.trim()})`;
}

/**
 * The program as one that keeps the servers of its pool from a directory: they start as on machines of their own.
 *
 * @param place - gets `dist/main.js`
 * @param program - has the real one
 */
export function programWhosePoolLacks(place: string, program: string, absent: Absent): string {
  const real = join(program, 'dist', 'main.js');
  const command = JSON.stringify(['/usr/bin/env', ...without(absent)]);
  mkdirSync(join(place, 'dist'), { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"type": "module"}');
  // It replaces itself: the process that the primary has started is the server.
  writeFileSync(
    join(place, 'dist', 'main.js'),
    `const words = [process.execPath, ${JSON.stringify(real)}, ...process.argv.slice(2)];
const command = ${command};
if (words.includes('--run')) process.execve(command[0], [...command, ...words], process.env);
else await import(${JSON.stringify(real)});
`,
  );
  return place;
}
