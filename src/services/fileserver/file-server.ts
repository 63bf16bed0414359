/** The decisions of the file server: which version, which mount, which files, what is said about them. */

import { ServiceError } from '../../lib/service-error.ts';
import { RequestFailed, unknownEnvironment } from '../../platform/indirection/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { AnnouncedVersions } from './announced-versions.ts';
import { Boundary, isWithin } from './boundary.ts';
import { Checksums } from './checksums.ts';
import { locateContent, openContent, type ServedContent } from './content.ts';
import { CustomMounts } from './custom-mounts.ts';
import { examine } from './examine.ts';
import { type FilesetEntry, type FilesetRoot, listFileset } from './fileset.ts';
import { MetadataCollector, type ServerOwner } from './metadata.ts';
import { mergedMount } from './mounts/merged-mount.ts';
import { moduleMount } from './mounts/module-mount.ts';
import type { Mount, MountContext, SearchResult } from './mounts/mount.ts';
import { filesetOptions, type MetadataOptions, metadataOptions } from './request-options.ts';
import { inspectOptions } from './ruby-text.ts';
import type { CodeTerminus, CodeVersion, OldCodeTerminus } from './termini.ts';
import { VersionCache } from './version-cache.ts';

export interface FileServerOptions {
  readonly code: CodeTerminus;
  /** Files of versions that `code` does not have (any more, or yet); there are none when absent. */
  readonly oldCode?: OldCodeTerminus;
  readonly log: Logger;
  /** The setting `codedir`; it need not exist. */
  readonly codeDirectory: string;
  /** Path of `fileserver.conf`; it need not exist. */
  readonly fileserverConf: string;
  /** Stands in for owners that do not matter: the server's own effective user and group. */
  readonly owner: ServerOwner;
  /** The clock of the file system, in milliseconds. */
  readonly now: () => number;
  /** For lengths of time, in milliseconds: setting the machine's clock does not change it. */
  readonly steadyMs: () => number;
}

/** What all requests have. */
export interface FileRequest {
  readonly environment: string;
  /** The version that is meant; the current one when absent. */
  readonly codeId?: string;
  /** Mount and path: `modules/ssh/sshd_config`. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly certname: string | undefined;
}

/** The most entries of a listing that pass without a warning when the request sets no limit. */
const softMaxFiles = 1000;
/** Files of one listing that are looked at side by side. */
const parallelFiles = 4;

interface Resolved {
  readonly context: MountContext;
  readonly mount: Mount;
  readonly path: string | undefined;
}

export class FileServer {
  private readonly options: FileServerOptions;
  private readonly customMounts: CustomMounts;
  private readonly collector: MetadataCollector;
  private readonly cache = new VersionCache();
  private readonly announced: AnnouncedVersions;
  private readonly mounts: ReadonlyMap<string, Mount> = new Map([
    ['modules', moduleMount('files', 'module')],
    ['scripts', moduleMount('scripts', 'module')],
    ['tasks', moduleMount('tasks', 'task')],
    ['plugins', mergedMount('lib')],
    ['pluginfacts', mergedMount('facts.d')],
    ['locales', mergedMount('locales')],
  ]);

  constructor(options: FileServerOptions) {
    this.options = options;
    this.announced = new AnnouncedVersions(options.steadyMs);
    this.customMounts = new CustomMounts({ ...options, now: options.steadyMs, file: options.fileserverConf });
    this.collector = new MetadataCollector(new Checksums(options.now), options.owner);
  }

  /**
   * Metadata of one file, as JSON.
   *
   * @throws ServiceError `not-found`; RequestFailed for bad parameters and unknown mounts
   */
  async metadata(request: FileRequest): Promise<Buffer> {
    return await this.withMount(request, 'find', async (resolved) => {
      this.announce(request, resolved);
      const compute = () => this.computeMetadata(request, resolved);
      if (!resolved.mount.isVersioned) return await compute();
      const { context } = resolved;
      return await this.cache.remember(context.version, replyKey('find', request), compute, byteLength);
    });
  }

  /**
   * Metadata of a directory and what is below it, as a JSON array.
   *
   * @throws ServiceError `not-found`; RequestFailed for bad parameters, unknown mounts and too many files
   */
  async metadatas(request: FileRequest): Promise<Buffer> {
    return await this.withMount(request, 'search', async (resolved) => {
      this.announce(request, resolved);
      const compute = () => this.computeMetadatas(request, resolved);
      if (!resolved.mount.isVersioned) return await compute();
      const { context } = resolved;
      return await this.cache.remember(context.version, replyKey('search', request), compute, byteLength);
    });
  }

  /**
   * A file's content: of the version whose metadata the agent was given, as long as that is there.
   *
   * @throws ServiceError `not-found`; RequestFailed for unknown mounts
   */
  async content(request: FileRequest): Promise<ServedContent> {
    const known = { ...request, ...this.announcedTo(request) };
    return await this.withMount(known, 'find', async ({ context, mount, path }) => {
      const locate = async () => {
        const root = await mount.find(path, context);
        return root === undefined ? undefined : await locateContent(root);
      };
      const place = mount.isVersioned
        ? await this.cache.remember(context.version, `content ${request.key}`, locate, () => 200)
        : await locate();
      const content = place === undefined ? undefined : await openContent(place);
      if (content === undefined) throw missing(`Could not find file_content ${request.key}`);
      return content;
    });
  }

  /**
   * A file of a version by its path in the environment, for static catalogs.
   *
   * @returns `undefined` when there is no such version or no such file in it
   */
  async staticContent(environment: string, codeId: string, path: string): Promise<ServedContent | undefined> {
    const version = this.options.code.withVersion(environment, codeId);
    if (version === undefined) {
      const found = await this.options.oldCode?.find(environment, codeId, path);
      return found === undefined ? undefined : { sizeBytes: found.bytes, body: found.open() };
    }
    try {
      const root = { path: `${version.directory}/${path}`, boundary: boundaryOf(version) };
      const place = await this.cache.remember(
        version,
        `static ${path}`,
        () => locateContent(root),
        () => 200,
      );
      return place === undefined ? undefined : await openContent(place);
    } finally {
      version.release?.();
    }
  }

  private announce({ certname, environment, key }: FileRequest, { context, mount }: Resolved): void {
    const { codeId } = context.version;
    if (certname === undefined || codeId === null || !mount.isVersioned) return;
    this.announced.announce(certname, environment, key, codeId);
  }

  private announcedTo({ certname, environment, key }: FileRequest): Pick<FileRequest, 'codeId'> {
    if (certname === undefined) return {};
    const codeId = this.announced.find(certname, environment, key);
    if (codeId === undefined) return {};
    const version = this.options.code.withVersion(environment, codeId);
    version?.release?.();
    return version === undefined ? {} : { codeId };
  }

  /** Finds version and mount, and lets the version go when the work is done. */
  private async withMount<T>(
    request: FileRequest,
    method: 'find' | 'search',
    work: (resolved: Resolved) => Promise<T>,
  ): Promise<T> {
    const version = this.options.code.withVersion(request.environment, request.codeId);
    if (version === undefined) throw unknownEnvironment(request.environment);
    try {
      const [name, path] = splitKey(request.key);
      const mount = this.mounts.get(name) ?? (await this.customMounts.find(name));
      if (mount === undefined) throw refusedMount(request, method);
      const { certname } = request;
      const context = {
        version,
        boundary: boundaryOf(version),
        cache: this.cache,
        codeDirectory: this.options.codeDirectory,
        certname,
      };
      return await work({ context, mount, path });
    } finally {
      version.release?.();
    }
  }

  private async computeMetadata(
    { key, query }: FileRequest,
    { context, mount, path }: Resolved,
  ): Promise<Buffer> {
    const root = await mount.find(path, context);
    if (root === undefined) throw missing(`Could not find file_metadata ${key}`);
    const options = metadataOptions(query);
    const examined = await examine(root.path, options.links, root.boundary);
    if (examined === undefined) throw missing(`Could not find file_metadata ${key}`);
    const metadata = await this.collector.collect(
      {
        logicalPath: logicalPath(root.path, context.version),
        relativePath: null,
        examined,
        baseChangedMs: Number(examined.stat.ctimeMs),
        boundary: root.boundary,
      },
      options,
    );
    return Buffer.from(JSON.stringify(metadata));
  }

  private async computeMetadatas(
    { key, query }: FileRequest,
    { context, mount, path }: Resolved,
  ): Promise<Buffer> {
    const found = await mount.search(path, context);
    if (found === undefined) throw missing(`Could not find instances in file_metadata with '${key}'`);
    const merged = await this.merge(found, query, context.version);
    const options = metadataOptions(query);
    const parts = await mapInOrder([...merged.values()], parallelFiles, (member) =>
      this.describe(member, options, context.version),
    );
    return Buffer.from(`[${parts.filter((part) => part !== undefined).join(',')}]`);
  }

  private async merge({ roots, isShallow }: SearchResult, query: URLSearchParams, version: CodeVersion) {
    const requested = filesetOptions(query);
    const options = isShallow ? { ...requested, recurses: false } : requested;
    const merged = new Map<string, Member>();
    for (const root of roots) {
      const entries = await listFileset(root, options, logicalPath(root.path, version));
      if (options.maxFiles === 0 && entries.length - 1 > softMaxFiles) {
        const entryCount = entries.length - 1;
        this.options.log.warn(
          { path: root.path, entryCount, softMaxFiles },
          'directory has very many entries',
        );
      }
      const baseChangedMs = await changedMs(root);
      for (const entry of entries) {
        if (!merged.has(entry.relativePath)) merged.set(entry.relativePath, { root, entry, baseChangedMs });
      }
    }
    return merged;
  }

  /** @returns JSON; `undefined` for a link that leads out of the boundary */
  private async describe(
    { root, entry, baseChangedMs }: Member,
    options: MetadataOptions,
    version: CodeVersion,
  ): Promise<string | undefined> {
    const path = logicalPath(root.path, version);
    if (entry.examined === undefined) {
      this.options.log.warn({ path, relativePath: entry.relativePath }, 'left out a link that leads nowhere');
      return undefined;
    }
    const { relativePath, examined } = entry;
    const { boundary } = root;
    const subject = { logicalPath: path, relativePath, examined, baseChangedMs, boundary };
    return JSON.stringify(await this.collector.collect(subject, options));
  }
}

/** One file of a listing, and the root that it came from. */
interface Member {
  readonly root: FilesetRoot;
  readonly entry: FilesetEntry;
  readonly baseChangedMs: number;
}

async function changedMs({ path, boundary }: FilesetRoot): Promise<number> {
  return Number((await examine(path, 'follow', boundary))?.stat.ctimeMs ?? 0);
}

function splitKey(key: string): readonly [string, string | undefined] {
  const slash = key.indexOf('/');
  const name = slash < 0 ? key : key.slice(0, slash);
  if (!/^[-\w]+$/.test(name)) throw new RequestFailed(`Cannot find file: Invalid mount '${name}'`);
  const path = slash < 0 ? '' : key.slice(slash + 1);
  if (path.split('/').includes('..')) {
    throw new RequestFailed(`Cannot find file: Invalid relative path '${path}'`);
  }
  return [name, path === '' ? undefined : path];
}

/** The reference lists everything that the request carried, its own routing parameter included. */
function refusedMount({ key, query }: FileRequest, method: string): RequestFailed {
  const options = new Map<string, readonly string[]>();
  for (const name of query.keys()) if (name !== 'environment') options.set(name, query.getAll(name));
  options.set('rest', [key]);
  return new RequestFailed(
    `Not authorized to call ${method} on /file_metadata/${key} with ${inspectOptions(options)}`,
  );
}

function missing(message: string): ServiceError {
  return new ServiceError('not-found', message, { kind: 'RESOURCE_NOT_FOUND' });
}

function boundaryOf(version: CodeVersion): Boundary {
  return new Boundary([version.directory, ...version.modules.map((module) => module.directory)]);
}

function logicalPath(path: string, { directory, logicalDirectory, mappings = [] }: CodeVersion): string {
  if (isWithin(path, directory)) return logicalDirectory + path.slice(directory.length);
  const shared = mappings.find(({ physicalDirectory }) => isWithin(path, physicalDirectory));
  return shared === undefined ? path : shared.logicalDirectory + path.slice(shared.physicalDirectory.length);
}

function replyKey(method: string, { key, query }: FileRequest): string {
  return `${method} ${key}?${query.toString()}`;
}

function byteLength(buffer: Buffer): number {
  return buffer.length;
}

/** Like `Promise.all` over `map`, with at most `parallel` of them under way. */
async function mapInOrder<T, R>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = Array.from({ length: items.length });
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
  return results;
}
