/** The agent packages of an installation: files in one directory for each platform, with what package managers read. */

import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ifThere } from '../../lib/if-there.ts';
import { makeDirectory } from '../../lib/make-directory.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { describeDeb, indexForApt } from './apt-repository.ts';
import type { IndexFile, PackageFile } from './package-file.ts';
import { isPlatformTag, platformOf } from './platform-tag.ts';
import type { RepositorySigner } from './repository-signer.ts';
import { describeRpm, indexForYum } from './yum-repository.ts';

export interface PackageEntry {
  readonly platform: string;
  readonly file: string;
  readonly bytes: number;
}

/** Names of packages that are agents; where a platform has both, the first. */
const agentNames = ['openvox-agent', 'puppet-agent', 'puppet'];

const fileNamePattern = /^[A-Za-z0-9][A-Za-z0-9+_.~-]*$/;

/** The key that the repository of a platform is signed with, beside it. */
const keyFile = 'repository-key.asc';

/** What is signed -> the file with the signature, and its kind. */
const signaturesOf: Readonly<Record<string, Readonly<Record<string, 'detached' | 'clear'>>>> = {
  Release: { InRelease: 'clear', 'Release.gpg': 'detached' },
  'repodata/repomd.xml': { 'repodata/repomd.xml.asc': 'detached' },
};

export class PackageRepository {
  private readonly directory: string;
  private readonly now: () => Date;
  private readonly signer: RepositorySigner | undefined;

  /**
   * @param directory - what is served as `/packages`
   * @param signer - signs what package managers read; nothing is signed when absent
   */
  constructor(directory: string, now: () => Date, signer?: RepositorySigner) {
    this.directory = join(directory, 'current');
    this.now = now;
    this.signer = signer;
  }

  /**
   * Copies a package and describes it to the platform's package managers.
   *
   * @param path - a file as its vendor named it
   * @param platform - where its name does not tell: `debian-12-amd64`
   * @throws ServiceError `bad-request` for an invalid package, `not-found` for a missing one
   */
  async add(path: string, platform?: string): Promise<PackageEntry> {
    const file = basename(path);
    const tag = platform ?? platformOf(file);
    if (tag === undefined)
      throw refused(path, "its name does not tell its platform; name it, as in '--platform debian-12-amd64'");
    if (!isPlatformTag(tag)) throw refused(path, `'${tag}' is not a platform, as 'el-9-x86_64' is`);
    if (!fileNamePattern.test(file))
      throw refused(path, 'its name has characters that package managers refuse');
    const content = await readPackage(path);
    await describe(path, content);
    const directory = join(this.directory, tag);
    await makeDirectory(directory);
    await writeFileAtomically(join(directory, servedName(file, tag)), content);
    await this.index(tag);
    return { platform: tag, file: servedName(file, tag), bytes: content.length };
  }

  /** @throws ServiceError `not-found` */
  async remove(platform: string, file: string): Promise<void> {
    const found = (await this.list()).find((entry) => entry.platform === platform && entry.file === file);
    if (found === undefined) throw new ServiceError('not-found', `There is no package ${platform}/${file}`);
    await rm(join(this.directory, platform, file));
    await this.index(platform);
  }

  /** Sorted by platform and name. */
  async list(): Promise<readonly PackageEntry[]> {
    const platforms = ((await ifThere(readdir(this.directory))) ?? []).filter(isPlatformTag).sort();
    const entries = await Promise.all(
      platforms.map(async (platform) => {
        const names = ((await ifThere(readdir(join(this.directory, platform)))) ?? [])
          .filter(isPackage)
          .sort();
        return Promise.all(
          names.map(async (file) => {
            const { size } = await stat(join(this.directory, platform, file));
            return { platform, file, bytes: size };
          }),
        );
      }),
    );
    return entries.flat();
  }

  /** Writes anew what package managers read; what refers to other files comes last. */
  private async index(platform: string): Promise<void> {
    const directory = join(this.directory, platform);
    const packages = await this.packagesOf(directory);
    for (const { name, content } of await indexOf(packages, platform, this.now())) {
      await makeDirectory(dirname(join(directory, name)));
      await writeFileAtomically(join(directory, name), content);
      await this.sign(directory, name, content);
    }
    const names = await Promise.all(
      packages.map(async ({ name, content }) => (await describe(name, content)).name),
    );
    const agent = agentNames.find((name) => names.includes(name));
    if (agent === undefined) await rm(join(directory, 'agent-package'), { force: true });
    else await writeFileAtomically(join(directory, 'agent-package'), `${agent}\n`);
  }

  /** Signs what names and proves all the rest. Signatures of an earlier time would be wrong. */
  private async sign(directory: string, name: string, content: Buffer): Promise<void> {
    const signatures = signaturesOf[name];
    if (signatures === undefined) return;
    for (const [file, kind] of Object.entries(signatures)) {
      const path = join(directory, file);
      if (this.signer === undefined) await rm(path, { force: true });
      else await writeFileAtomically(path, await this.signer[kind](content));
    }
    const key = join(directory, keyFile);
    if (this.signer === undefined) await rm(key, { force: true });
    else await writeFileAtomically(key, await this.signer.publicKey());
  }

  private async packagesOf(directory: string): Promise<readonly PackageFile[]> {
    const names = (await readdir(directory)).filter((name) => /\.(deb|rpm)$/.test(name)).sort();
    return Promise.all(
      names.map(async (name) => {
        const [content, { mtime }] = await Promise.all([
          readFile(join(directory, name)),
          stat(join(directory, name)),
        ]);
        return { name, content, modified: mtime };
      }),
    );
  }
}

async function indexOf(
  packages: readonly PackageFile[],
  platform: string,
  now: Date,
): Promise<readonly IndexFile[]> {
  const isDeb = ({ name }: PackageFile) => name.endsWith('.deb');
  const hasRpm = packages.some((file) => !isDeb(file));
  const debs = packages.some(isDeb) ? await indexForApt(packages.filter(isDeb), platform, now) : [];
  return hasRpm
    ? [
        ...debs,
        ...indexForYum(
          packages.filter((file) => !isDeb(file)),
          now,
        ),
      ]
    : debs;
}

/** Windows machines ask for one name, whatever the version is. */
function servedName(file: string, platform: string): string {
  if (!file.endsWith('.msi')) return file;
  return platform === 'windows-i386' ? 'puppet-agent-x86.msi' : 'puppet-agent-x64.msi';
}

/** @throws ServiceError `bad-request` for an invalid package */
async function describe(path: string, content: Buffer): Promise<{ readonly name: string }> {
  try {
    if (path.endsWith('.deb')) return await describeDeb(content);
    if (path.endsWith('.rpm')) return describeRpm(content);
  } catch (error) {
    throw refused(path, error instanceof Error ? error.message : String(error), error);
  }
  if (isPackage(path)) return { name: basename(path) };
  throw refused(path, 'it is none of .deb, .rpm, .msi, .dmg, .pkg, .p5p, .bff');
}

function isPackage(path: string): boolean {
  return /\.(deb|rpm|msi|dmg|pkg|p5p|bff)$/.test(path);
}

async function readPackage(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new ServiceError('not-found', `Could not read ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function refused(path: string, reason: string, cause?: unknown): ServiceError {
  return new ServiceError('bad-request', `Could not add ${path}: ${reason}`, { cause });
}
