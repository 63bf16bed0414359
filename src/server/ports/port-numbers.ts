/** Which ports `auto` means: those that clients know, where the primary itself is on the one that agents know. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';

/** Several servers on one host have other ports: each would take the same. */
const knownServerPort = 8140;

/** @returns 0 for none */
export function puppetDbPort({
  confDir,
  puppetDbPort: port,
  serverPort,
}: Pick<Settings, 'confDir' | 'puppetDbPort' | 'serverPort'>): number {
  if (port !== 'auto') return port;
  return serverPort === knownServerPort && !existsSync(join(confDir, 'puppetdb.conf')) ? 8081 : 0;
}

/** @returns 0 for none */
export function consoleServicesPort({
  consoleServicesPort: port,
  serverPort,
}: Pick<Settings, 'consoleServicesPort' | 'serverPort'>): number {
  if (port !== 'auto') return port;
  return serverPort === knownServerPort ? 4433 : 0;
}

/** Which one to open: the first of them that the primary may have; none for no console. */
export function consolePorts({
  consolePort: port,
  serverPort,
}: Pick<Settings, 'consolePort' | 'serverPort'>): readonly number[] {
  if (port === 'auto') return serverPort === knownServerPort ? [443, 8443] : [];
  return port === 0 ? [] : [port];
}

/** @returns 0 for none */
export function pcpBrokerPort({
  pcpBrokerPort: port,
  serverPort,
}: Pick<Settings, 'pcpBrokerPort' | 'serverPort'>): number {
  if (port !== 'auto') return port;
  return serverPort === knownServerPort ? 8142 : 0;
}

/** @returns 0 for none */
export function orchestratorPort({
  orchestratorPort: port,
  serverPort,
}: Pick<Settings, 'orchestratorPort' | 'serverPort'>): number {
  if (port !== 'auto') return port;
  return serverPort === knownServerPort ? 8143 : 0;
}

/**
 * Where the broker of a compile server finds the orchestrator.
 *
 * @returns `wss://primary.example.com:8143/server`; `undefined` where the settings name no port and the primary has another than the
 *   known one
 */
export function controllerUrl(
  primaryUrl: string,
  { orchestratorPort: named }: Pick<Settings, 'orchestratorPort'>,
): string | undefined {
  const { hostname, port } = new URL(primaryUrl);
  const wanted =
    named === 'auto' ? orchestratorPort({ orchestratorPort: named, serverPort: Number(port) }) : named;
  return wanted === 0 ? undefined : `wss://${hostname}:${wanted}/server`;
}

/**
 * Opens a port beside that of agents, which the operator may not have asked for.
 *
 * @param setting - what to change where another program has it
 * @throws ServiceError `unavailable` naming the setting
 */
export async function listenBeside(
  http: HttpServer,
  port: number,
  { listen }: Pick<Settings, 'listen'>,
  setting: string,
): Promise<number> {
  return namingSetting(setting, () => http.listen(port, listen === '' ? undefined : listen));
}

/** Opens the first port that can be had. @throws ServiceError `unavailable` of the last one, naming the setting */
export async function listenOnFirst(
  http: HttpServer,
  [first, ...others]: readonly number[],
  settings: Pick<Settings, 'listen'>,
  setting: string,
): Promise<number> {
  try {
    return await listenBeside(http, first ?? 0, settings, setting);
  } catch (error) {
    if (others.length === 0 || !(error instanceof ServiceError)) throw error;
    return await listenOnFirst(http, others, settings, setting);
  }
}

/** @throws ServiceError what `open` throws, with the setting that names another port */
export async function namingSetting(setting: string, open: () => Promise<number>): Promise<number> {
  try {
    return await open();
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    const message = `${cause.message}; the setting ${setting} names another one, or 0 for none`;
    throw new ServiceError(cause.reason, message, { cause });
  }
}
