/** What dnf and yum want to find beside RPM packages: the metadata that createrepo makes. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { IndexFile, PackageFile } from './package-file.ts';
import { RpmHeader, type RpmTag } from './rpm-header.ts';

interface Described extends PackageFile {
  readonly header: RpmHeader;
  readonly sha256: string;
}

/** @returns everything in `repodata/` */
export function indexForYum(packages: readonly PackageFile[], now: Date): readonly IndexFile[] {
  const described = packages.map(
    (file): Described => ({
      ...file,
      header: new RpmHeader(file.content),
      sha256: digestOf(file.content),
    }),
  );
  const documents = [
    ['primary', primary(described)],
    ['filelists', filelists(described)],
    ['other', other(described)],
  ] as const;
  const files = documents.map(([type, text]) => {
    const open = Buffer.from(text);
    return { type, open, name: `repodata/${type}.xml.gz`, content: gzipSync(open) };
  });
  const revision = Math.floor(now.getTime() / 1000);
  const data = files.map(
    ({ type, open, name, content }) => `<data type="${type}">
<checksum type="sha256">${digestOf(content)}</checksum>
<open-checksum type="sha256">${digestOf(open)}</open-checksum>
<location href="${name}"/>
<timestamp>${revision}</timestamp>
<size>${content.length}</size>
<open-size>${open.length}</open-size>
</data>
`,
  );
  const repomd = `${declaration}<repomd xmlns="http://linux.duke.edu/metadata/repo" xmlns:rpm="http://linux.duke.edu/metadata/rpm">
<revision>${revision}</revision>
${data.join('')}</repomd>
`;
  return [...files, { name: 'repodata/repomd.xml', content: Buffer.from(repomd) }];
}

/** The name under which the package is installed, and its version. */
export function describeRpm(bytes: Buffer): { name: string; version: string } {
  const header = new RpmHeader(bytes);
  return { name: header.text('name'), version: `${header.text('version')}-${header.text('release')}` };
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

function primary(packages: readonly Described[]): string {
  return `${declaration}<metadata xmlns="http://linux.duke.edu/metadata/common" xmlns:rpm="http://linux.duke.edu/metadata/rpm" packages="${packages.length}">
${packages.map(primaryOf).join('')}</metadata>
`;
}

function primaryOf({ header, name, content, modified, sha256 }: Described): string {
  const element = (tag: string, field: RpmTag) => `<${tag}>${escape(header.text(field))}</${tag}>`;
  const files = filesOf(header).filter(({ path }) => isPrimaryFile(path));
  return `<package type="rpm">
${element('name', 'name')}
${element('arch', 'arch')}
${versionOf(header)}
<checksum type="sha256" pkgid="YES">${sha256}</checksum>
${element('summary', 'summary')}
${element('description', 'description')}
${element('packager', 'packager')}
${element('url', 'url')}
<time file="${Math.floor(modified.getTime() / 1000)}" build="${header.number('buildTime')}"/>
<size package="${content.length}" installed="${header.number('size')}" archive="${header.archiveBytes}"/>
<location href="${escape(name)}"/>
<format>
${element('rpm:license', 'license')}
${element('rpm:vendor', 'vendor')}
${element('rpm:group', 'group')}
${element('rpm:buildhost', 'buildHost')}
${element('rpm:sourcerpm', 'sourceRpm')}
<rpm:header-range start="${header.begin}" end="${header.end}"/>
${relations(header, 'provide')}${relations(header, 'require')}${relations(header, 'conflict')}${relations(header, 'obsolete')}${files.map(fileElement).join('')}</format>
</package>
`;
}

function filelists(packages: readonly Described[]): string {
  return listing('filelists', packages, (header) => filesOf(header).map(fileElement).join(''));
}

function other(packages: readonly Described[]): string {
  return listing('other', packages, () => '');
}

function listing(
  name: string,
  packages: readonly Described[],
  contentOf: (header: RpmHeader) => string,
): string {
  const entries = packages.map(
    ({ header, sha256 }) =>
      `<package pkgid="${sha256}" name="${escape(header.text('name'))}" arch="${escape(header.text('arch'))}">
${versionOf(header)}
${contentOf(header)}</package>
`,
  );
  return `${declaration}<${name === 'other' ? 'otherdata' : name} xmlns="http://linux.duke.edu/metadata/${name}" packages="${packages.length}">
${entries.join('')}</${name === 'other' ? 'otherdata' : name}>
`;
}

function versionOf(header: RpmHeader): string {
  return `<version epoch="${header.number('epoch')}" ver="${escape(header.text('version'))}" rel="${escape(header.text('release'))}"/>`;
}

const senses: Readonly<Record<number, string>> = { 2: 'LT', 4: 'GT', 8: 'EQ', 10: 'LE', 12: 'GE' };
/** Needed already while scripts of the package run: RPMSENSE_PREREQ, _SCRIPT_PRE, _SCRIPT_POST. */
const neededEarly = 64 | 512 | 1024;

type Relation = 'provide' | 'require' | 'conflict' | 'obsolete';

function relations(header: RpmHeader, relation: Relation): string {
  const names = header.texts(`${relation}Name`);
  const flags = header.numbers(`${relation}Flags`);
  const versions = header.texts(`${relation}Version`);
  const entries = names.flatMap((name, index) => {
    // Abilities of RPM itself are no packages.
    if (relation === 'require' && name.startsWith('rpmlib(')) return [];
    const early = relation === 'require' && ((flags[index] ?? 0) & neededEarly) !== 0 ? ' pre="1"' : '';
    const condition = conditionOf(flags[index] ?? 0, versions[index] ?? '');
    return [`<rpm:entry name="${escape(name)}"${condition}${early}/>\n`];
  });
  if (entries.length === 0) return '';
  return `<rpm:${relation}s>\n${Array.from(new Set(entries)).join('')}</rpm:${relation}s>\n`;
}

function conditionOf(flags: number, version: string): string {
  const sense = senses[flags & 14];
  const [, epoch = '0', ver, rel] = /^(?:(\d+):)?([^-]+)(?:-(.+))?$/.exec(version) ?? [];
  if (sense === undefined || ver === undefined) return '';
  const release = rel === undefined ? '' : ` rel="${escape(rel)}"`;
  return ` flags="${sense}" epoch="${epoch}" ver="${escape(ver)}"${release}`;
}

interface RpmFile {
  readonly path: string;
  readonly isDirectory: boolean;
}

function filesOf(header: RpmHeader): readonly RpmFile[] {
  const directories = header.texts('dirNames');
  const indexes = header.numbers('dirIndexes');
  const modes = header.numbers('fileModes');
  return header.texts('baseNames').map((name, index) => ({
    path: `${directories[indexes[index] ?? 0] ?? ''}${name}`,
    isDirectory: ((modes[index] ?? 0) & 0o170000) === 0o040000,
  }));
}

/** Those that packages usually require by their paths. */
function isPrimaryFile(path: string): boolean {
  return path.startsWith('/etc/') || path.includes('bin/') || path === '/usr/lib/sendmail';
}

function fileElement({ path, isDirectory }: RpmFile): string {
  return `<file${isDirectory ? ' type="dir"' : ''}>${escape(path)}</file>\n`;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function escape(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no form for them
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replace(/[&<>"]/g, (c) => entities[c] ?? c);
}
