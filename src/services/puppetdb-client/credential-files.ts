/** A client whose certificate, key and lists of revoked certificates are files that others renew. */

import { readFile, stat } from 'node:fs/promises';
import {
  type ClientCredentials,
  type ClientRequest,
  type ClientResponse,
  HttpClient,
} from '../../platform/http-client/index.ts';

export interface CredentialFiles {
  readonly ca: string;
  /** Absent when revocation is not checked. */
  readonly crl?: string;
  /** Absent where we are not to show who we are. */
  readonly certificate?: string;
  readonly privateKey?: string;
}

/** How often the files are looked at, when there are requests. */
const lookIntervalMs = 30_000;
/** What requests get to finish that began with what has been replaced. */
const graceMs = 300_000;

export class FollowingClient {
  private readonly files: CredentialFiles;
  private readonly addresses: Readonly<Record<string, string>>;
  private readonly nowMs: () => number;
  private current: { readonly client: HttpClient; readonly version: string } | undefined;
  private looking: Promise<HttpClient> | undefined;
  private lookedMs = Number.NEGATIVE_INFINITY;
  private readonly retired = new Map<HttpClient, NodeJS.Timeout>();

  /** @param addresses - IP addresses of servers that DNS need not know */
  constructor(files: CredentialFiles, nowMs: () => number, addresses: Readonly<Record<string, string>> = {}) {
    this.files = files;
    this.addresses = addresses;
    this.nowMs = nowMs;
  }

  /** @throws ServiceError as `HttpClient` does, Error when the files cannot be read */
  async send(request: ClientRequest): Promise<ClientResponse> {
    return await (await this.client()).send(request);
  }

  close(): void {
    this.current?.client.close();
    for (const [client, timer] of this.retired) {
      clearTimeout(timer);
      client.close();
    }
  }

  private async client(): Promise<HttpClient> {
    if (this.current !== undefined && this.nowMs() - this.lookedMs < lookIntervalMs)
      return this.current.client;
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
    return await this.looking;
  }

  private async look(): Promise<HttpClient> {
    this.lookedMs = this.nowMs();
    const paths = Object.values(this.files);
    const versions = await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs));
    const version = versions.join(' ');
    if (this.current?.version === version) return this.current.client;
    const old = this.current?.client;
    const client = new HttpClient({ ...(await readAll(this.files)), addresses: this.addresses });
    this.current = { client, version };
    if (old !== undefined) this.retire(old);
    return client;
  }

  private retire(client: HttpClient): void {
    const timer = setTimeout(() => {
      this.retired.delete(client);
      client.close();
    }, graceMs);
    timer.unref();
    this.retired.set(client, timer);
  }
}

async function readAll(files: CredentialFiles): Promise<ClientCredentials> {
  const entries = Object.entries(files).map(
    async ([name, path]) => [name, await readFile(path, 'utf8')] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
