/** Commands that ask the primary, with the certificate of this machine. */

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ClientCredentials, HttpClient } from '../platform/http-client/index.ts';
import { primaryUrlOf, type Settings } from '../platform/settings/index.ts';
import { UsageError } from './command.ts';

export interface PrimaryRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its leading slash. */
  readonly path: string;
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

/** On the primary its own port; where another one is named, that. */
export function primaryUrl(settings: Pick<Settings, 'certname' | 'primary' | 'serverPort'>): string {
  const { certname, primary, serverPort } = settings;
  return primary === '' ? `https://${certname}:${serverPort}` : primaryUrlOf(primary);
}

/**
 * A server on this machine is reached by the name in its certificate, whether or not DNS knows that name. Where another
 * primary is named DNS knows it: the certificate that is shown may be that server's, too.
 */
export function localAddresses({
  certname,
  listen,
  primary,
}: Pick<Settings, 'certname' | 'listen' | 'primary'>): Readonly<Record<string, string>> {
  if (primary !== '') return {};
  const isAnywhere = isIP(listen) === 0 || /^[0:.]+$/.test(listen);
  return { [certname]: isAnywhere ? '127.0.0.1' : listen };
}

/**
 * Sends one request and reads its answer.
 *
 * @returns what the answer's JSON says, or its plain text; `undefined` when it has no body
 * @throws Error in words for people, with what the primary said
 */
export async function askPrimary(settings: Settings, request: PrimaryRequest): Promise<unknown> {
  const { path, ...others } = request;
  const credentials = {
    addresses: localAddresses(settings),
    ca: readCredential(settings, settings.localCaCert),
    certificate: readCredential(settings, settings.hostCert),
    privateKey: readCredential(settings, settings.hostPrivKey),
  };
  return await requestJson(credentials, { ...others, url: `${primaryUrl(settings)}${path}` });
}

/** A server's answer that is no success. */
export class RequestRefused extends Error {
  /** As services name it: `puppetlabs.rbac/...`. */
  readonly kind: string | undefined;

  constructor(message: string, kind: string | undefined) {
    super(message);
    this.name = 'RequestRefused';
    this.kind = kind;
  }
}

export interface JsonRequest extends Omit<PrimaryRequest, 'path'> {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** As `askPrimary`, of any server. @throws UsageError for an invalid HTTPS URL */
export async function requestJson(credentials: ClientCredentials, request: JsonRequest): Promise<unknown> {
  const { body, headers, method, timeoutMs = 30_000, url } = request;
  if (URL.parse(url)?.protocol !== 'https:') throw new UsageError(`'${url}' is not a URL with https://`);
  const client = new HttpClient(credentials);
  try {
    const answer = await client.send({
      method,
      url,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
    });
    const text = answer.body.toString('utf8');
    if (answer.status >= 300)
      throw new RequestRefused(
        `${url} answered with status ${answer.status}: ${messageIn(text)}`,
        kindIn(text),
      );
    if (text === '') return undefined;
    return answer.headers['content-type']?.startsWith('text/') === true ? text : JSON.parse(text);
  } finally {
    client.close();
  }
}

function kindIn(text: string): string | undefined {
  try {
    const { kind } = JSON.parse(text) as { readonly kind?: unknown };
    return typeof kind === 'string' ? kind : undefined;
  } catch {
    return undefined; // plain text has none
  }
}

function messageIn(text: string): string {
  try {
    // Tests of connections name their error alone.
    const { error, msg } = JSON.parse(text) as { readonly error?: unknown; readonly msg?: unknown };
    return typeof msg === 'string' ? msg : typeof error === 'string' ? error : text;
  } catch {
    // Plain text: refusals are.
    return text;
  }
}

function readCredential({ certname }: Settings, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const message =
      `cannot read ${path}, which proves that this is ${certname}. Run this with the settings that the server here ` +
      'runs with (--data, --config, --certname)';
    throw new Error(message, { cause });
  }
}
