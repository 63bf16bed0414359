/** The parameters of the class that makes compile servers. The primary decides them, and compile servers ask for them. */

import type { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';
import { type Access, json, type Route, route } from '../../platform/http/index.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { CandidateWire, decodeBody, InstallationWire } from './wire.ts';

/** A node whose groups make a compile server of it. */
export interface CandidateServer {
  readonly certname: string;
  /** Of its certificate. */
  readonly extensions: Readonly<Record<string, string>>;
  /** Whether a Puppet run has installed the server that is there. */
  readonly isInstalled: boolean;
}

export interface InstallationsTerminus {
  /** @returns parameters of the class of compile servers; `undefined` where it manages nothing */
  find(node: CandidateServer, signal: AbortSignal): Promise<JsonObject | undefined>;
}

const path = '/infrastructure/v1/installation';
const maxBodyBytes = 64 * 1024;
/** The primary may have to make its archive first. */
const timeoutMs = 60_000;

export function installationRoute(installations: InstallationsTerminus, allow: Access): Route {
  return route({
    method: 'POST',
    path,
    allow,
    maxBodyBytes,
    async handle(request) {
      const { is_installed: isInstalled, ...node } = decodeBody(CandidateWire, await request.body());
      const parameters = (await installations.find({ ...node, isInstalled }, request.signal)) ?? null;
      return json({ parameters });
    },
  });
}

export interface RemoteInstallationsOptions {
  readonly client: HttpClient;
  readonly primaryUrl: string;
  readonly log: Logger;
}

/** Asks the primary. While the primary is away, the class manages nothing and installed servers stay as they are. */
export class RemoteInstallations implements InstallationsTerminus {
  private readonly options: RemoteInstallationsOptions;

  constructor(options: RemoteInstallationsOptions) {
    this.options = options;
  }

  async find(node: CandidateServer, signal: AbortSignal): Promise<JsonObject | undefined> {
    const { client, log, primaryUrl } = this.options;
    const { certname, extensions, isInstalled } = node;
    const question: z.infer<typeof CandidateWire> = { certname, extensions, is_installed: isInstalled };
    try {
      const { body, status } = await client.send({
        method: 'POST',
        url: `${primaryUrl}${path}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(question),
        signal,
        timeoutMs,
      });
      if (status === 200)
        return InstallationWire.parse(JSON.parse(body.toString('utf8'))).parameters ?? undefined;
      log.warn({ certname, status }, 'unexpected answer of the primary about the installation of a node');
    } catch (err) {
      signal.throwIfAborted();
      log.warn({ err, certname }, 'could not ask the primary about the installation of a node');
    }
    return undefined;
  }
}
