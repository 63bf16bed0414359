/** All modules that Debian packages, unpacked into a directory; nothing is installed. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface ModuleDirectories {
  /** Modules under the names that manifests use, as links. */
  readonly modulepath: string;
  /** What is unpacked, under the names that packages use. */
  readonly unpacked: string;
  readonly packages: number;
}

/**
 * Downloads what is not there yet.
 *
 * @param directory - where everything is kept; `packages/*.deb` that lie there already are taken as they are
 */
export function unpackDebianModules(directory: string): ModuleDirectories {
  const [packages, root, modulepath] = ['packages', 'root', 'modules'].map((name) =>
    path.join(directory, name),
  ) as [string, string, string];
  mkdirSync(packages, { recursive: true });
  if (debs(packages).length === 0) download(packages);
  for (const old of [root, modulepath]) {
    rmSync(old, { recursive: true, force: true });
    mkdirSync(old);
  }
  for (const deb of debs(packages)) {
    run('dpkg', ['-x', path.join(packages, deb), root]);
    link(path.join(packages, deb), root, modulepath);
  }
  return {
    modulepath,
    unpacked: path.join(root, 'usr/share/puppet/modules.available'),
    packages: debs(packages).length,
  };
}

function debs(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.deb'))
    .toSorted();
}

function download(directory: string): void {
  const names = run('apt-cache', ['pkgnames', 'puppet-module-'])
    .split('\n')
    .filter((name) => name !== '');
  if (names.length === 0) throw new Error('apt knows no puppet-module-*: apt-get update');
  run('apt-get', ['-q', 'download', ...names.toSorted()], directory);
}

/** As the package would, when it is installed. */
function link(deb: string, root: string, modulepath: string): void {
  const control = mkdtempSync(path.join(tmpdir(), 'bunraku-control-'));
  try {
    run('dpkg', ['-e', deb, control]);
    const script = path.join(control, 'postinst');
    const text = existsSync(script) ? readFileSync(script, 'utf8').replaceAll('\\\n', ' ') : '';
    for (const [, as = '', target = ''] of text.matchAll(/--install\s+(\S+)\s+\S+\s+(\S+)\s+\d+/g)) {
      const name = path.join(modulepath, path.basename(as));
      if (!existsSync(name)) symlinkSync(path.join(root, target), name);
    }
  } finally {
    rmSync(control, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], cwd?: string): string {
  const { error, status, stderr, stdout } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stderr}`);
  return stdout;
}
