/** The Puppet Forge, or whatever has its API (version 3). */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { SingleFlight } from '../../../lib/single-flight.ts';
import { webGetText } from '../../../platform/http-client/index.ts';
import { DeployError } from '../deploy-error.ts';
import { downloadArchive } from './archive-download.ts';
import type { Forge } from './forge.ts';

export interface WebForgeOptions {
  readonly baseurl: string;
  readonly authorizationToken: string | undefined;
  readonly proxies: Readonly<Record<string, string | undefined>>;
  /** Where archives are kept. */
  readonly directory: string;
}

const ModuleWire = z.object({
  current_release: z.object({ version: z.string() }).nullish(),
});

const ReleaseWire = z.object({
  file_uri: z.string(),
  file_md5: z.string().nullish(),
  file_sha256: z.string().nullish(),
});

const largestAnswer = 32 * 1024 * 1024;

export class WebForge implements Forge {
  private readonly options: WebForgeOptions;
  private readonly downloads = new Map<string, SingleFlight<string>>();

  constructor(options: WebForgeOptions) {
    this.options = options;
  }

  async latestVersion(slug: string, signal: AbortSignal): Promise<string> {
    const found = await this.get(`/v3/modules/${slug}`, ModuleWire, signal);
    if (found === undefined)
      throw new DeployError(`The module ${slug} does not exist on ${this.options.baseurl}.`);
    const version = found.current_release?.version;
    if (version !== undefined) return version;
    throw new DeployError(
      `The module ${slug} does not appear to have any published releases, cannot determine latest version.`,
    );
  }

  /** Environments that need the same archive at the same time share the download. */
  async archive(slug: string, version: string, signal: AbortSignal): Promise<string> {
    const path = join(this.options.directory, `${slug}-${version}.tar.gz`);
    if (existsSync(path)) return path;
    const inFlight = this.downloads.get(path);
    if (inFlight?.isAbandoned === false) return await inFlight.join(signal);
    const download = new SingleFlight((shared) => this.download(slug, version, path, shared));
    this.downloads.set(path, download);
    try {
      return await download.join(signal);
    } finally {
      if (this.downloads.get(path) === download) this.downloads.delete(path);
    }
  }

  private async download(slug: string, version: string, path: string, signal: AbortSignal): Promise<string> {
    const release = await this.get(`/v3/releases/${slug}-${version}`, ReleaseWire, signal);
    if (release === undefined)
      throw new DeployError(
        `The module release ${slug}-${version} does not exist on ${this.options.baseurl}.`,
      );
    const url = new URL(release.file_uri, `${this.options.baseurl}/`).href;
    const isOurs = new URL(url).origin === new URL(this.options.baseurl).origin;
    await downloadArchive(
      url,
      path,
      { sha256: release.file_sha256 ?? undefined, md5: release.file_md5 ?? undefined },
      { headers: isOurs ? this.headers() : {}, proxies: this.options.proxies, signal },
    );
    return path;
  }

  private async get<T>(path: string, shape: z.ZodType<T>, signal: AbortSignal): Promise<T | undefined> {
    const url = this.options.baseurl + path;
    const { proxies } = this.options;
    const { status, text } = await webGetText(
      { url, headers: this.headers(), proxies, signal },
      largestAnswer,
    );
    if (status === 404) return undefined;
    if (status !== 200)
      throw new ServiceError('bad-gateway', `${url} answered with status ${status}: ${text.slice(0, 200)}`);
    const result = checkShape(shape, parse(text, url));
    if (result.success) return result.data;
    throw new ServiceError('bad-gateway', `${url} answered with what is not the Forge's API`);
  }

  private headers(): Record<string, string> {
    const { authorizationToken } = this.options;
    return authorizationToken === undefined ? {} : { authorization: authorizationToken };
  }
}

function parse(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError('bad-gateway', `${url} answered with what is not JSON`, { cause: error });
  }
}
