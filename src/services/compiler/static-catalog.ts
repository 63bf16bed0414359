/**
 * Static catalogs: the metadata of files that come from the environment stands in the catalog, so that agents get
 * exactly the files of the version that was compiled, and need not ask for each.
 */

import type { EnvironmentConfig } from '../../language/environment/index.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { FileMetadataTerminus } from './termini.ts';
import type { SourcedFile } from './worker-protocol.ts';

/** In the reference's order, which its message shows. */
const knownChecksumTypes = [
  'sha256',
  'sha256lite',
  'md5',
  'md5lite',
  'sha1',
  'sha1lite',
  'sha512',
  'sha384',
  'sha224',
  'mtime',
  'ctime',
  'none',
];

/**
 * The first of an agent's checksum types that is known here.
 *
 * @param agentTypes - separated by dots
 * @throws ServiceError `compile-failed` in the reference's words
 */
export function commonChecksumType(agentTypes: string | undefined): string {
  const common = agentTypes?.split('.').find((type) => knownChecksumTypes.includes(type));
  if (common !== undefined) return common;
  const known = knownChecksumTypes.map((type) => `:${type}`).join(', ');
  throw new ServiceError(
    'compile-failed',
    `Unable to find a common checksum type between agent '${agentTypes ?? ''}' and master '[${known}]'.`,
  );
}

export interface StaticCatalogRequest {
  readonly certname: string;
  /** UTF-8 JSON of an object. */
  readonly catalog: Uint8Array;
  readonly files: readonly SourcedFile[];
  readonly config: EnvironmentConfig;
  /** What the agent wants for files that say nothing else. */
  readonly checksumType: string;
}

/** Metadata on the wire, as far as it matters here. */
interface Metadata {
  readonly path: string;
  readonly relative_path: string | null;
}

/** What lies outside of the environment, and cannot be had by its version. */
const outside = Symbol('outside');

/** The JSON that a catalog has for one source. */
type Inlined = string | typeof outside | undefined;

export class StaticCatalogs {
  private readonly files: FileMetadataTerminus;
  /** Versions do not change, and neither does what is said of their files. */
  private readonly known = new WeakMap<EnvironmentConfig, Map<string, Promise<Inlined>>>();

  constructor(files: FileMetadataTerminus) {
    this.files = files;
  }

  /**
   * The catalog with `metadata` and `recursive_metadata`.
   *
   * @throws ServiceError `compile-failed` in the reference's words when there is no such file
   */
  async inline(request: StaticCatalogRequest): Promise<Uint8Array> {
    const single: string[] = [];
    const recursive: string[] = [];
    for (const file of request.files) {
      const found = file.recurses ? await this.searchAll(file, request) : await this.findFirst(file, request);
      if (found !== undefined)
        (file.recurses ? recursive : single).push(`${JSON.stringify(file.title)}:${found}`);
    }
    return withMembers(request.catalog, [
      ['metadata', single],
      ['recursive_metadata', recursive],
    ]);
  }

  private async findFirst(file: SourcedFile, request: StaticCatalogRequest): Promise<string | undefined> {
    if (file.sources.some(isElsewhere)) return undefined;
    for (const source of file.sources) {
      const found = await this.remember('find', source, file, request);
      if (found !== undefined) return found === outside ? undefined : found;
    }
    throw new ServiceError('compile-failed', `Could not get metadata for ${file.given}`);
  }

  private async searchAll(file: SourcedFile, request: StaticCatalogRequest): Promise<string | undefined> {
    if (file.sources.some(isElsewhere)) return undefined;
    const bySource: string[] = [];
    for (const source of file.sources) {
      const found = await this.remember('search', source, file, request);
      if (found === outside) return undefined;
      if (found === undefined) continue;
      bySource.push(`${JSON.stringify(source)}:${found}`);
      if (file.takesFirst) break;
    }
    return bySource.length === 0 ? undefined : `{${bySource.join(',')}}`;
  }

  /** What lies outside can change at any time, and what is missing may come: neither is remembered. */
  private async remember(
    method: 'find' | 'search',
    source: string,
    file: SourcedFile,
    request: StaticCatalogRequest,
  ): Promise<Inlined> {
    const known = this.known.get(request.config) ?? new Map<string, Promise<Inlined>>();
    this.known.set(request.config, known);
    const key = `${method} ${request.checksumType} ${JSON.stringify(file.query)} ${source}`;
    const found = known.get(key) ?? this.ask(method, source, queryFor(method, file, request), request);
    known.set(key, found);
    try {
      const inlined = await found;
      if (inlined === undefined || inlined === outside) known.delete(key);
      return inlined;
    } catch (error) {
      known.delete(key);
      throw error;
    }
  }

  private async ask(
    method: 'find' | 'search',
    source: string,
    query: URLSearchParams,
    { certname, config }: StaticCatalogRequest,
  ): Promise<Inlined> {
    const key = source.replace(/^puppet:\/*/, '');
    const text = await this.files[method]({
      environment: config.name,
      codeId: config.codeId,
      key,
      query,
      certname,
    });
    if (text === undefined) return undefined;
    const isModuleFile = key.startsWith('modules/');
    if (method === 'find') {
      const metadata = JSON.parse(text) as Metadata;
      const contentUri = isModuleFile ? contentUriOf(metadata, config) : undefined;
      return contentUri === undefined
        ? outside
        : JSON.stringify({ ...metadata, content_uri: contentUri, source });
    }
    const metadatas = JSON.parse(text) as readonly Metadata[];
    const base = metadatas.find((metadata) => metadata.relative_path === '.');
    const baseUri = base === undefined || !isModuleFile ? undefined : contentUriOf(base, config);
    if (baseUri === undefined) return outside;
    return JSON.stringify(
      metadatas.map((metadata) => ({ ...metadata, content_uri: below(baseUri, metadata) })),
    );
  }
}

/** A checksum that the resource asks for comes before the agent's. */
function queryFor(method: 'find' | 'search', { query }: SourcedFile, { checksumType }: StaticCatalogRequest) {
  const own = query.some(([name]) => name === 'checksum_type');
  const parameters = new URLSearchParams(own ? [] : [['checksum_type', checksumType]]);
  for (const [name, value] of query) parameters.append(name, value);
  if (method === 'search') parameters.set('recurse', 'true');
  return parameters;
}

/** Files of another server: the agent asks that one. */
function isElsewhere(source: string): boolean {
  return !source.startsWith('puppet:///');
}

/** Only files of modules in the environment's own directories can be had by their path in it. */
function contentUriOf({ path }: Metadata, { directory }: EnvironmentConfig): string | undefined {
  if (!path.startsWith(`${directory}/`)) return undefined;
  const relative = path.slice(directory.length + 1);
  return /^[^/]+\/[^/]+\/files\/.+/s.test(relative) ? `puppet:///${relative}` : undefined;
}

function below(baseUri: string, metadata: Metadata): string {
  return metadata.relative_path === '.' ? baseUri : `${baseUri}/${metadata.relative_path ?? ''}`;
}

/** Members are put in before the brace that ends the object: the catalog itself is not read. */
function withMembers(
  catalog: Uint8Array,
  members: readonly (readonly [name: string, entries: readonly string[]])[],
): Uint8Array {
  const texts = members.flatMap(([name, entries]) =>
    entries.length === 0 ? [] : `,"${name}":{${entries.join(',')}}`,
  );
  if (texts.length === 0) return catalog;
  const added = new TextEncoder().encode(`${texts.join('')}}`);
  const bytes = new Uint8Array(catalog.length - 1 + added.length);
  bytes.set(catalog.subarray(0, -1));
  bytes.set(added, catalog.length - 1);
  return bytes;
}
