/** Everything that a deploy is made with, joined for one configuration. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';
import type { Git } from '../../platform/git/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { CodeConfiguration } from './configuration/configuration.ts';
import { EnvironmentDeployer } from './deploy/environment-deployer.ts';
import { Sources } from './environments/sources.ts';
import { downloadArchive, sha256Of } from './forge/archive-download.ts';
import { DirectoryForge } from './forge/directory-forge.ts';
import type { Forge } from './forge/forge.ts';
import { WebForge } from './forge/web-forge.ts';
import { GitCaches } from './git/git-caches.ts';
import type { Tarball } from './modules/module-context.ts';
import { PuppetfileReader } from './puppetfile/read-puppetfile.ts';

export interface EngineOptions {
  readonly configuration: CodeConfiguration;
  readonly git: Git;
  /** Caches and states. */
  readonly directory: string;
  /** `code-staging`. */
  readonly stagingDirectory: string;
  /** What `basedir` of unchanged configurations is below: `/etc/puppetlabs/code`. */
  readonly codeDirectory: string;
  /** Of this process: proxies, and what Puppetfiles and commands see. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file of the thread that runs Puppetfiles. */
  readonly puppetfileWorkerUrl: URL;
  /** For Puppetfiles that are not understood without: `auto`, `wasm` for the built-in one, or a command. */
  readonly ruby: string;
  /** A git host that says nothing for this long is dead. */
  readonly idleTimeoutMs: number;
  readonly log: Logger;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

export interface Engine {
  readonly configuration: CodeConfiguration;
  readonly sources: Sources;
  readonly deployer: EnvironmentDeployer;
}

export function createEngine(options: EngineOptions): Engine {
  const { configuration, environment, log, git } = options;
  const cacheDirectory = configuration.cacheDirectory ?? join(options.directory, 'cache');
  const caches = new GitCaches({
    git,
    directory: join(cacheDirectory, 'git'),
    configuration: configuration.git,
    idleTimeoutMs: options.idleTimeoutMs,
    commandEnvironment: environment,
    now: options.monotonicMs,
  });
  const proxies = proxiesOf(configuration.forge.proxy, environment);
  const deployer = new EnvironmentDeployer({
    configuration,
    caches,
    forgeAt: forges(configuration, join(cacheDirectory, 'forge'), proxies),
    tarball: (location, checksum, signal) =>
      tarball({ location, checksum, signal, proxies, directory: join(cacheDirectory, 'tarball') }),
    puppetfiles: new PuppetfileReader({
      workerUrl: options.puppetfileWorkerUrl,
      environment,
      ruby: options.ruby,
    }),
    stateDirectory: join(options.directory, 'environments'),
    log,
    now: options.now,
  });
  return { configuration, sources: new Sources({ ...options, caches }), deployer };
}

type Proxies = Readonly<Record<string, string | undefined>>;

function proxiesOf(configured: string | undefined, environment: Proxies): Proxies {
  if (configured === undefined) return environment;
  return configured === '' ? {} : { HTTP_PROXY: configured, HTTPS_PROXY: configured };
}

/** One for each URL, so that downloads are shared. */
function forges(
  { forge }: CodeConfiguration,
  directory: string,
  proxies: Proxies,
): (url: string | undefined) => Forge {
  const known = new Map<string, Forge>();
  return (url) => {
    const baseurl = withoutTrailingSlashes(url ?? forge.baseurl);
    const found = known.get(baseurl) ?? create(baseurl);
    known.set(baseurl, found);
    return found;
  };

  function create(baseurl: string): Forge {
    if (baseurl.startsWith('file:')) return new DirectoryForge(fileURLToPath(baseurl));
    if (baseurl.startsWith('/')) return new DirectoryForge(baseurl);
    return new WebForge({
      baseurl: /^https?:\/\//.test(baseurl) ? baseurl : `https://${baseurl}`,
      authorizationToken: forge.authorizationToken,
      proxies,
      directory: join(directory, digest(baseurl).slice(0, 12)),
    });
  }
}

interface TarballRequest {
  readonly location: string;
  readonly checksum: string | undefined;
  readonly signal: AbortSignal;
  readonly proxies: Proxies;
  readonly directory: string;
}

/** An archive is asked for again only when its place or its checksum changes. */
async function tarball(request: TarballRequest): Promise<Tarball> {
  const { location, checksum, signal, proxies, directory } = request;
  const path = join(directory, `${digest(`${location}\n${checksum ?? ''}`)}.tar.gz`);
  if (existsSync(path)) {
    const sha256 = await sha256Of(path);
    if (checksum === undefined || sha256 === checksum.toLowerCase()) return { path, sha256 };
    await rm(path, { force: true });
  }
  await downloadArchive(location, path, { sha256: checksum }, { proxies, signal });
  return { path, sha256: await sha256Of(path) };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
