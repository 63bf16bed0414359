/** Commands that ask the primary's services: as a user with a token, or with the certificate of this machine. */

import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withoutTrailingSlashes } from '../lib/trailing-slashes.ts';
import type { ClientCredentials } from '../platform/http-client/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { type CommandLine, lastOf } from './own-options.ts';
import { localAddresses, primaryUrl, requestJson } from './primary-connection.ts';

/** Options of every such command. */
export const serviceOptions = ['--service-url', '--token-file', '-t', '--cacert'] as const;

export const tokenUsage = `  --token-file FILE    A token to use instead of this machine's certificate (default: ~/.puppetlabs/token, where the
                       certificate can't be read)
  --cacert FILE        The certificate of the CA (default: the setting localcacert)
`;

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the service's URL, with its leading slash. */
  readonly path: string;
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

/** What proves to a service who asks. */
export interface Proof {
  readonly credentials: ClientCredentials;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where tokens are kept, as by `puppet access`. */
export function defaultTokenFile(): string {
  return join(homedir(), '.puppetlabs', 'token');
}

/** @throws Error when there is neither a certificate nor a token that can be read */
export function readProof(line: CommandLine): Proof {
  const { settings } = line;
  const ca = read(lastOf(line, '--cacert') ?? settings.localCaCert);
  const addresses = localAddresses(settings);
  const token = tokenFileOf(line);
  if (token !== undefined)
    return { credentials: { addresses, ca }, headers: { 'x-authentication': read(token).trim() } };
  const [certificate, privateKey] = [read(settings.hostCert), read(settings.hostPrivKey)];
  return { credentials: { addresses, ca, certificate, privateKey }, headers: {} };
}

/** Whether it is a user who asks. */
export function showsToken(line: CommandLine): boolean {
  return tokenFileOf(line) !== undefined;
}

/** @param url - where the service is unless the command line says it @throws Error with what the service said */
export async function askService(line: CommandLine, url: string, request: ServiceRequest): Promise<unknown> {
  const { credentials, headers } = readProof(line);
  const { path, timeoutMs = 60_000, ...others } = request;
  const base = withoutTrailingSlashes(lastOf(line, '--service-url') ?? url);
  return await requestJson(credentials, { ...others, url: `${base}${path}`, headers, timeoutMs });
}

/** The primary's URL with the port of another service. @param known - what `auto` means beside 8140; 0 elsewhere */
export function serviceUrl(settings: Settings, port: number | 'auto', known: number): string | undefined {
  const base = primaryUrl(settings);
  const found = port === 'auto' ? (base.endsWith(':8140') ? known : 0) : port;
  return found === 0 ? undefined : base.replace(/:\d+$/, `:${found}`);
}

/** A port of the primary that users' commands ask. */
interface ServicePort {
  /** In messages. */
  readonly serves: string;
  readonly setting: string;
  /** Beside 8140. */
  readonly usual: number;
  readonly of: (settings: Settings) => number | 'auto';
}

export const consoleServices: ServicePort = {
  serves: 'users and groups',
  setting: 'console_services_port',
  usual: 4433,
  of: ({ consoleServicesPort }) => consoleServicesPort,
};

export const orchestratorServices: ServicePort = {
  serves: 'jobs',
  setting: 'orchestrator_port',
  usual: 8143,
  of: ({ orchestratorPort }) => orchestratorPort,
};

/**
 * The URL of an API, empty when `--service-url` gives another one.
 *
 * @throws Error when the primary has no such port
 */
export function apiUrl({ settings, values }: CommandLine, port: ServicePort, path: string): string {
  const url = serviceUrl(settings, port.of(settings), port.usual);
  if (url !== undefined) return `${url}${path}`;
  if (values.has('--service-url')) return '';
  throw new Error(
    `The primary has no port for ${port.serves}: set ${port.setting} (${port.usual} is usual) and start it again`,
  );
}

function tokenFileOf(line: CommandLine): string | undefined {
  return lastOf(line, '--token-file') ?? lastOf(line, '-t') ?? tokenInstead(line.settings);
}

/** For people without the rights of the server, who have logged in. */
function tokenInstead({ hostPrivKey }: Settings): string | undefined {
  const file = defaultTokenFile();
  return !isReadable(hostPrivKey) && existsSync(file) ? file : undefined;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    // Whatever the reason: it can't be shown.
    return false;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const hint =
      'Run this on the primary with the settings that it runs with (--data, --config, --certname), or log in (bunraku access login) and name a --token-file and a --cacert';
    throw new Error(`cannot read ${path}. ${hint}`, { cause });
  }
}
