/**
 * `npm run package [DIRECTORY]`: a Debian package and an archive of the program with its Node, for the machine's kind of processor.
 * They go to `.cache/packages`, or to the directory that is named.
 */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfChanged } from './bundle.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const platform = `${process.platform}-${process.arch}`;
/** Names of processors in Debian. */
const debianNames: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' };

const output = resolve(process.argv[2] ?? join(root, '.cache/packages'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const architecture = debianNames[process.arch];
if (process.platform !== 'linux' || architecture === undefined)
  throw new Error(`There are packages for Linux on x64, arm64 and arm only, not for ${platform}.`);

await buildIfChanged();
mkdirSync(output, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'bunraku-package-'));
try {
  console.log(makeArchive(join(work, 'archive')));
  console.log(makeDebianPackage(join(work, 'debian')));
} finally {
  rmSync(work, { recursive: true });
}

/** @returns its path */
function makeArchive(directory: string): string {
  const name = `bunraku-${version}`;
  const folder = join(directory, name);
  copyProgram(folder);
  cpSync(join(root, 'packaging/systemd'), join(folder, 'systemd'), { recursive: true });
  for (const file of ['LICENSE', 'README.md']) copyFileSync(join(root, file), join(folder, file));
  const path = join(output, `bunraku_${version}_${platform}.tar.gz`);
  // The same files make the same archive.
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${sourceTime()}`];
  execFileSync('tar', [...same, '-C', directory, '-I', 'gzip -4', '-cf', path, name]);
  return path;
}

/** @returns its path */
function makeDebianPackage(directory: string): string {
  copyProgram(join(directory, 'usr/lib/bunraku'));
  mkdirSync(join(directory, 'usr/bin'), { recursive: true });
  symlinkSync('../lib/bunraku/bin/bunraku', join(directory, 'usr/bin/bunraku'));
  for (const unit of ['ca', 'compile-server', 'primary'])
    place(
      `packaging/systemd/bunraku-${unit}.service`,
      directory,
      `usr/lib/systemd/system/bunraku-${unit}.service`,
    );
  place('packaging/systemd/bunraku.sysusers', directory, 'usr/lib/sysusers.d/bunraku.conf');
  place('packaging/systemd/bunraku.tmpfiles', directory, 'usr/lib/tmpfiles.d/bunraku.conf');
  place('LICENSE', directory, 'usr/share/doc/bunraku/copyright');
  place('packaging/debian/README.Debian', directory, 'usr/share/doc/bunraku/README.Debian');
  cpSync(join(root, 'docs'), join(directory, 'usr/share/doc/bunraku/docs'), { recursive: true });
  for (const script of ['postinst', 'prerm', 'postrm'])
    place(`packaging/debian/${script}`, directory, `DEBIAN/${script}`, 0o755);
  const control = readFileSync(join(root, 'packaging/debian/control'), 'utf8')
    .replace('@VERSION@', version)
    .replace('@ARCHITECTURE@', architecture ?? '')
    .replace(
      '@KILOBYTES@',
      execFileSync('du', ['-sk', join(directory, 'usr')], { encoding: 'utf8' }).split('\t')[0] ?? '',
    );
  writeFileSync(join(directory, 'DEBIAN/control'), control);
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', directory]);
  const path = join(output, `bunraku_${version}_${architecture}.deb`);
  // With gzip, which every Debian and Ubuntu reads.
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z4', '--build', directory, path], {
    env: { ...process.env, SOURCE_DATE_EPOCH: sourceTime() },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return path;
}

/** As in a checkout, so that the launcher finds its parts. Source maps are left out. */
function copyProgram(folder: string): void {
  const isWanted = (path: string): boolean => !/\.map$|\/\.(console-)?sources$/.test(path);
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: isWanted });
  place('bin/bunraku', folder, 'bin/bunraku', 0o755);
  place('package.json', folder, 'package.json');
  const node = `node_modules/node-${platform}/bin/node`;
  mkdirSync(dirname(join(folder, node)), { recursive: true });
  copyFileSync(process.execPath, join(folder, node));
  chmodSync(join(folder, node), 0o755);
}

function place(file: string, directory: string, name: string, mode = 0o644): void {
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(join(root, file), path);
  chmodSync(path, mode);
}

/** Of the last commit, in seconds since 1970; 0 without a repository. */
function sourceTime(): string {
  try {
    return execFileSync('git', ['-C', root, 'log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim();
  } catch {
    return '0';
  }
}
