/** Which platform a package is for, by its name: `el-9-x86_64`, `debian-12-amd64`, `windows-x86_64`. */

/** What vendors write for releases: Puppet code names, OpenVox names and numbers. */
const debianReleases: Readonly<Record<string, string>> = {
  buster: 'debian-10',
  bullseye: 'debian-11',
  bookworm: 'debian-12',
  trixie: 'debian-13',
  bionic: 'ubuntu-18.04',
  focal: 'ubuntu-20.04',
  jammy: 'ubuntu-22.04',
  noble: 'ubuntu-24.04',
};

const tagPattern = /^[a-z][a-z0-9]*(-[A-Za-z0-9._]+){1,2}$/;

export function isPlatformTag(text: string): boolean {
  return tagPattern.test(text);
}

/**
 * @param fileName - as its vendor named it
 * @returns `undefined` where the name does not tell
 */
export function platformOf(fileName: string): string | undefined {
  if (fileName.endsWith('.deb')) return platformOfDeb(fileName);
  if (fileName.endsWith('.rpm')) return platformOfRpm(fileName);
  if (fileName.endsWith('.msi')) return fileName.endsWith('x86.msi') ? 'windows-i386' : 'windows-x86_64';
  return undefined;
}

function platformOfDeb(fileName: string): string | undefined {
  const architecture = /_([a-z0-9]+)\.deb$/.exec(fileName)?.[1];
  if (architecture === undefined || architecture === 'all') return undefined;
  const codeName = Object.keys(debianReleases).find((name) => fileName.includes(name));
  if (codeName !== undefined) return `${debianReleases[codeName]}-${architecture}`;
  const [, name, version] = /[+~.](debian|ubuntu)(\d+(?:\.\d+)?)/.exec(fileName) ?? [];
  return name === undefined ? undefined : `${name}-${version}-${architecture}`;
}

function platformOfRpm(fileName: string): string | undefined {
  const [, kind, version, architecture] =
    /\.(redhatfips|el|fc|sles|amazon|amzn)(\d+)\.([a-z0-9_]+)\.rpm$/.exec(fileName) ?? [];
  if (kind === undefined || architecture === 'noarch') return undefined;
  const names: Readonly<Record<string, string>> = { fc: 'fedora', amzn: 'amazon' };
  return `${names[kind] ?? kind}-${version}-${architecture}`;
}
