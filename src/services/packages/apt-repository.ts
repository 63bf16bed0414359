/** What apt wants to find beside Debian packages. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { fieldOf, readDebControl } from './deb-control.ts';
import type { IndexFile, PackageFile } from './package-file.ts';

/** @returns what apt calls a flat repository: `Packages`, `Packages.gz`, `Release` */
export async function indexForApt(
  packages: readonly PackageFile[],
  platform: string,
  now: Date,
): Promise<readonly IndexFile[]> {
  const paragraphs = await Promise.all(packages.map(paragraphOf));
  const index = Buffer.from(paragraphs.map((paragraph) => `${paragraph}\n\n`).join(''));
  const files = [
    { name: 'Packages', content: index },
    { name: 'Packages.gz', content: gzipSync(index) },
  ];
  return [...files, { name: 'Release', content: Buffer.from(releaseOf(files, platform, now)) }];
}

/** The name under which the package is installed, and its version. */
export async function describeDeb(bytes: Buffer): Promise<{ name: string; version: string }> {
  const control = await readDebControl(bytes);
  return { name: fieldOf(control, 'Package') ?? '', version: fieldOf(control, 'Version') ?? '' };
}

async function paragraphOf({ name, content }: PackageFile): Promise<string> {
  const control = await readDebControl(content);
  const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex');
  return [
    control,
    `Filename: ./${name}`,
    `Size: ${content.length}`,
    `MD5sum: ${digest('md5')}`,
    `SHA1: ${digest('sha1')}`,
    `SHA256: ${digest('sha256')}`,
  ].join('\n');
}

function releaseOf(files: readonly IndexFile[], platform: string, now: Date): string {
  const lines = files.map(
    ({ name, content }) =>
      ` ${createHash('sha256').update(content).digest('hex')} ${content.length} ${name}\n`,
  );
  return `Origin: bunraku
Label: Puppet agents for ${platform}
Date: ${now.toUTCString()}
Acquire-By-Hash: no
SHA256:
${lines.join('')}`;
}
