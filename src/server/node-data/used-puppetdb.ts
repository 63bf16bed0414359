/** The PuppetDB that code asks while it is compiled: this server's own, the primary's, or another that `puppetdb.conf` names. */

import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readTextIfThere } from '../../lib/if-there.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { type Access, type HttpRequest, operators, type Route, route } from '../../platform/http/index.ts';
import type { ClientRequest, ClientResponse } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { FactsTerminus, PuppetDbTerminus } from '../../services/compiler/index.ts';
import type { PuppetDb } from '../../services/puppetdb/index.ts';
import {
  type CredentialFiles,
  decodeFactRows,
  defaultPuppetDbConf,
  FollowingClient,
  PuppetDbClient,
  type PuppetDbConf,
  parsePuppetDbConf,
} from '../../services/puppetdb-client/index.ts';
import { puppetDbPort } from '../ports/port-numbers.ts';

export interface UsedPuppetDb {
  readonly client: PuppetDbClient;
  readonly conf: PuppetDbConf;
  readonly compiler: PuppetDbTerminus;
  readonly findFacts: FactsTerminus['find'];
  close(): void;
}

type Used = Pick<
  Settings,
  'confDir' | 'hostCert' | 'hostCrl' | 'hostPrivKey' | 'localCaCert' | 'storeConfigs' | 'storeConfigsBackend'
>;

/**
 * The one that `puppetdb.conf` names.
 *
 * @returns `undefined` when there is no such file
 * @throws ServiceError `bad-request` in the reference's words when it is wrong
 */
export function externalPuppetDb(settings: Used, log: Logger): UsedPuppetDb | undefined {
  const file = join(settings.confDir, 'puppetdb.conf');
  const text = readTextIfThere(file);
  if (text === undefined) return undefined;
  const conf = parsePuppetDbConf(text, file, (warning) => {
    log.warn({ file, warning }, 'puppetdb.conf has a setting that is retired');
  });
  return overHttps(settings, conf, log);
}

/** The primary's, which compile servers reach on the port that they know. */
export function primaryPuppetDb(
  settings: Used,
  primaryUrl: string,
  log: Logger,
  addresses: Readonly<Record<string, string>> = {},
): UsedPuppetDb {
  return overHttps(settings, defaultPuppetDbConf(primaryUrl), log, addresses);
}

/** The one in this process. */
export function ownPuppetDb(
  settings: Used & Pick<Settings, 'certname' | 'puppetDbPort' | 'serverPort'>,
  puppetDb: PuppetDb,
  log: Logger,
): UsedPuppetDb {
  const port = puppetDbPort(settings);
  const url = `https://${settings.certname}:${port === 0 ? 8081 : port}`;
  const client = { send: (request: ClientRequest) => answerHere(puppetDb, request) };
  const conf = defaultPuppetDbConf(url);
  return used(settings, conf, new PuppetDbClient({ conf, client, log, nowMs: Date.now }), () => {});
}

/** For compile servers, and for people with an administrator's certificate: on the port that they use anyway. */
export function memberPuppetDbRoutes(puppetDb: PuppetDb): readonly Route[] {
  const handle = async (request: HttpRequest) => {
    const { method, path, query, signal } = request;
    return await puppetDb.answer(
      {
        method,
        path,
        search: query.toString(),
        body: method === 'POST' ? await request.body() : undefined,
        accept: undefined,
        contentType: undefined,
        host: undefined,
      },
      signal,
    );
  };
  return (['GET', 'POST'] as const).flatMap((method) =>
    ['/pdb/query/v4', '/pdb/query/v4/*'].map((path) =>
      route({ method, path, allow: members, takesInPath: ['empty', 'slash', 'backslash'], handle }),
    ),
  );
}

const members: Access = {
  kind: 'any-of',
  of: [{ kind: 'infrastructure' }, operators],
};

function overHttps(
  settings: Used,
  conf: PuppetDbConf,
  log: Logger,
  addresses: Readonly<Record<string, string>> = {},
): UsedPuppetDb {
  const { hostCert: certificate, hostCrl: crl, hostPrivKey: privateKey, localCaCert: ca } = settings;
  const files: CredentialFiles = {
    ca,
    ...(readTextIfThere(crl) === undefined ? {} : { crl }),
    ...(conf.verifyClientCertificate ? { certificate, privateKey } : {}),
  };
  const client = new FollowingClient(files, Date.now, addresses);
  return used(settings, conf, new PuppetDbClient({ conf, client, log, nowMs: Date.now }), () =>
    client.close(),
  );
}

function used(settings: Used, conf: PuppetDbConf, client: PuppetDbClient, close: () => void): UsedPuppetDb {
  const { findResources, query } = client;
  return {
    client,
    conf,
    compiler: collectsExported(settings) ? { findResources, query } : { query },
    findFacts: async (certname, signal) => {
      const rows = await client.findFacts(certname, signal);
      return rows === undefined ? undefined : decodeFactRows(certname, rows);
    },
    close,
  };
}

/** Whether resources are exported and collected. */
export function collectsExported({
  storeConfigs,
  storeConfigsBackend,
}: Pick<Settings, 'storeConfigs' | 'storeConfigsBackend'>): boolean {
  return storeConfigs && storeConfigsBackend === 'puppetdb';
}

/** The same requests, without a connection. */
async function answerHere(puppetDb: PuppetDb, request: ClientRequest): Promise<ClientResponse> {
  const { body, method, signal, url } = request;
  const { pathname: path, search } = new URL(url);
  if (body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body))
    throw new ServiceError('bad-request', 'Queries of PuppetDB are no streams');
  const call = {
    method,
    path,
    search: search.slice(1),
    body: typeof body === 'string' ? Buffer.from(body) : body,
    accept: undefined,
    contentType: undefined,
    host: undefined,
  };
  const reply = await puppetDb.answer(call, signal ?? new AbortController().signal);
  return { status: reply.status, headers: {}, body: await bytesOf(reply.body) };
}

async function bytesOf(body: string | Uint8Array | Readable | undefined): Promise<Buffer> {
  if (body === undefined || typeof body === 'string') return Buffer.from(body ?? '');
  return body instanceof Uint8Array ? Buffer.from(body) : await buffer(body);
}
