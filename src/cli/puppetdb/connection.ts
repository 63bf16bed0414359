/** Commands that ask PuppetDB: that of the primary over TLS, or any over HTTP. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { HttpClient } from '../../platform/http-client/index.ts';
import { parsePuppetDbConf } from '../../services/puppetdb-client/index.ts';
import { UsageError } from '../command.ts';
import { type CommandLine, lastOf } from '../own-options.ts';
import { primaryUrl } from '../primary-connection.ts';
import { type Proof, readProof, serviceUrl, showsToken } from '../service-connection.ts';

/** Options of every command that asks PuppetDB. */
export const puppetDbOptions = ['--url', '--cert', '--key', '--token-file', '-t', '--cacert'] as const;

export const puppetDbUsage = `  --url URL      Where PuppetDB is: https://HOST:8081 or http://127.0.0.1:8080 (default: what puppetdb.conf names, else
                 the primary)
  --cert FILE    The certificate to use, and --key FILE its key (default: those of this machine)
  --token-file FILE
                 A token to use instead (default: ~/.puppetlabs/token, where the certificate can't be read)
  --cacert FILE  The certificate of the CA (default: the setting localcacert)
`;

/** As long as the largest archive may take. */
const timeoutMs = 6 * 3_600_000;

export interface PuppetDbRequest {
  readonly method: 'GET' | 'POST';
  /** With its leading slash and its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Readable;
  readonly signal: AbortSignal;
}

/**
 * @returns the body of the answer as it arrives; the caller reads all of it
 * @throws UsageError for an invalid URL; Error with PuppetDB's message when the request fails
 */
export async function askPuppetDb(line: CommandLine, request: PuppetDbRequest): Promise<Readable> {
  const base = (lastOf(line, '--url') ?? puppetDbUrl(line)).replace(/\/+$/, '');
  if (!/^https?:$/.test(URL.parse(base)?.protocol ?? ''))
    throw new UsageError(`'${base}' is not a URL with https:// or http://`);
  const url = `${base}${request.path}`;
  const { status, body } = await (base.startsWith('http:')
    ? sendPlain(url, request)
    : sendSecure(line, url, request));
  if (status < 300) return body;
  const message = messageIn(await textOf(body));
  const where = url.replace(/\?.*/s, '');
  if (status === 404 && !request.path.startsWith('/pdb/query/')) {
    throw new Error(`${where} is not there: the primary opens it with puppetdb_port or puppetdb_http_port`);
  }
  throw new Error(`${where} answered with status ${status}: ${message}`);
}

export async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** What `puppetdb.conf` names first; else the primary, on its port for PuppetDB or the one that queries of members go to. */
function puppetDbUrl(line: CommandLine): string {
  const { settings } = line;
  const file = join(settings.confDir, 'puppetdb.conf');
  const [external] = existsSync(file) ? parsePuppetDbConf(readFileSync(file, 'utf8'), file).serverUrls : [];
  if (external !== undefined) return external;
  const { primary, puppetDbHttpPort, puppetDbPort } = settings;
  // Compile servers may ask on the port that they use anyway, whatever the other port allows; users may not.
  const isMember = primary !== '' && puppetDbPort === 'auto' && !showsToken(line);
  const own = isMember ? undefined : serviceUrl(settings, puppetDbPort, 8081);
  if (own !== undefined) return own;
  if (puppetDbHttpPort !== 0 && primary === '') return `http://127.0.0.1:${puppetDbHttpPort}`;
  return primaryUrl(settings);
}

interface Answer {
  readonly status: number;
  readonly body: Readable;
}

async function sendSecure(line: CommandLine, url: string, request: PuppetDbRequest): Promise<Answer> {
  const { credentials, headers } = proofOf(line);
  const client = new HttpClient(credentials);
  try {
    const { body, status } = await client.stream({
      ...request,
      headers: { ...request.headers, ...headers },
      url,
      timeoutMs,
    });
    body.on('close', () => client.close());
    return { status, body };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** The certificate that is named, or what every service is shown. */
function proofOf(line: CommandLine): Proof {
  const [cert, key] = [lastOf(line, '--cert'), lastOf(line, '--key')];
  if (cert === undefined && key === undefined) return readProof(line);
  const { hostCert, hostPrivKey, localCaCert } = line.settings;
  const credentials = {
    ca: read(lastOf(line, '--cacert') ?? localCaCert),
    certificate: read(cert ?? hostCert),
    privateKey: read(key ?? hostPrivKey),
  };
  return { credentials, headers: {} };
}

async function sendPlain(
  url: string,
  { method, headers = {}, body, signal }: PuppetDbRequest,
): Promise<Answer> {
  const sent = body instanceof Readable ? (Readable.toWeb(body) as NonNullable<RequestInit['body']>) : body;
  try {
    const reply = await fetch(url, {
      method,
      headers,
      signal,
      ...(sent === undefined ? {} : { body: sent, duplex: 'half' as const }),
    });
    const { body: answer, status } = reply;
    return { status, body: answer === null ? Readable.from([]) : Readable.fromWeb(answer as ReadableStream) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${url} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause: error,
    });
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const hint =
      'Run this with the settings that the server here runs with (--data, --config, --certname), or give --cert, --key and --cacert';
    throw new Error(`cannot read ${path}. ${hint}`, { cause });
  }
}

/** PuppetDB says what is wrong as text or within JSON. */
function messageIn(text: string): string {
  try {
    const { error, msg } = JSON.parse(text) as { readonly error?: unknown; readonly msg?: unknown };
    const message = error ?? msg;
    return typeof message === 'string' ? message : text;
  } catch {
    // Plain text: what is wrong with a query is.
    return text.trim();
  }
}
