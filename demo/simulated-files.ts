/** The files that a simulated agent has: it asks for the content of those that have changed, as a real one does. */

import { createHash } from 'node:crypto';

/** Sends a GET below `/puppet/v3/` and resolves to the answer's body. @throws Error unless it is answered with 200 */
export type Get = (path: string, accept: string) => Promise<Buffer>;

/** Where contents come from, and where they go. */
interface Download {
  readonly get: Get;
  readonly contents: Record<string, string>;
}

interface WireMetadata {
  readonly type: string;
  readonly relative_path: string | null;
  readonly checksum: { readonly type: string; readonly value: string };
  readonly content_uri?: string;
}

export interface FileCatalog {
  readonly code_id: string | null;
  readonly resources: readonly {
    readonly type: string;
    readonly title: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  }[];
  /** Of files whose source was looked at when the catalog was compiled, by title. */
  readonly metadata?: Readonly<Record<string, WireMetadata>>;
}

const ignored = ['.svn', 'CVS', '.git', '.hg'].map((name) => `ignore=${name}`).join('&');
const pluginQuery = `recurse=true&max_files=-1&${ignored}&links=follow&checksum_type=sha256&source_permissions=ignore`;
const query = 'links=manage&checksum_type=sha256&source_permissions=ignore';

export class SimulatedFiles {
  /** Checksums, by where the file would be. */
  private readonly held = new Map<string, string>();

  async synchronisePlugins(get: Get): Promise<void> {
    for (const mount of ['pluginfacts', 'plugins'])
      await this.fetchTree(get, mount, `file_metadatas/${mount}?${pluginQuery}`);
  }

  /**
   * Fetches what file resources name as their source.
   *
   * @returns the contents that it did not have yet, by the resources' titles
   */
  async fetchSources(get: Get, catalog: FileCatalog): Promise<Readonly<Record<string, string>>> {
    const contents: Record<string, string> = {};
    const download: Download = { get, contents };
    for (const { parameters, title, type } of catalog.resources) {
      const source = parameters?.['source'];
      if (type !== 'File' || typeof source !== 'string' || !source.startsWith('puppet:///')) continue;
      const path = source.slice('puppet:///'.length);
      const inlined = catalog.metadata?.[title];
      if (parameters?.['recurse'] === true)
        await this.fetchTree(get, path, `file_metadatas/${path}?recurse=true&${query}`);
      else if (inlined?.content_uri === undefined) await this.fetchFile(download, path, title);
      else await this.fetchContent(download, title, inlined, staticPath(inlined.content_uri, catalog));
    }
    return contents;
  }

  private async fetchTree(get: Get, path: string, listing: string): Promise<void> {
    const entries = JSON.parse((await get(listing, 'application/json')).toString('utf8')) as WireMetadata[];
    for (const entry of entries) {
      if (entry.type !== 'file') continue;
      const name = [path, ...(entry.relative_path ?? '').split('/')].map(encodeURI).join('/');
      await this.fetchContent({ get, contents: {} }, name, entry, `file_content/${name}?`);
    }
  }

  private async fetchFile(download: Download, path: string, title: string): Promise<void> {
    const body = await download.get(`file_metadata/${path}?${query}`, 'application/json');
    const metadata = JSON.parse(body.toString('utf8')) as WireMetadata;
    if (metadata.type === 'file') await this.fetchContent(download, title, metadata, `file_content/${path}?`);
  }

  /** @throws Error when what comes is not what was announced, as the real agent refuses it */
  private async fetchContent(
    { contents, get }: Download,
    name: string,
    { checksum }: WireMetadata,
    path: string,
  ): Promise<void> {
    if (this.held.get(name) === checksum.value) return;
    const body = await get(path, 'application/octet-stream');
    const value = `{sha256}${createHash('sha256').update(body).digest('hex')}`;
    if (checksum.type === 'sha256' && value !== checksum.value)
      throw new Error(`${path}: ${value} is not ${checksum.value}, which its metadata has`);
    this.held.set(name, checksum.value);
    contents[name] = body.toString('utf8');
  }
}

function staticPath(contentUri: string, { code_id: codeId }: FileCatalog): string {
  return `static_file_content/${contentUri.slice('puppet:///'.length)}?code_id=${codeId}&`;
}
