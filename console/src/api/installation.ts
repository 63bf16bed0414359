/** The line that installs an agent, and the settings of the server. */

import { get, post } from './client.ts';

export interface InstallationOrder {
  readonly environment?: string | undefined;
  /** Separated by commas. */
  readonly alt_names?: string | undefined;
  /** `pp_role=web`, separated by commas. */
  readonly extensions?: string | undefined;
}

export interface AgentInstallation {
  readonly server: string;
  readonly port: number;
  /** SHA-256 of the CA's certificates. */
  readonly ca_digest: string;
  readonly line: string;
  /** Does not verify the server. */
  readonly unverified_line: string;
}

/** @throws ApiError 400 that names the invalid option */
export async function readInstallation(
  order: InstallationOrder,
  signal: AbortSignal,
): Promise<AgentInstallation> {
  return await get('/console-api/v1/agent-installation', { ...order }, signal);
}

export interface SettingRow {
  readonly name: string;
  readonly section: string;
  readonly doc: string;
  readonly value: string;
  readonly default: string;
  readonly origin: string;
}

export interface SettingsAnswer {
  readonly settings: readonly SettingRow[];
  /** Of the log-in page; null where it has none. */
  readonly login_text: string | null;
}

export async function readSettings(signal: AbortSignal): Promise<SettingsAnswer> {
  return await get('/console-api/v1/settings', {}, signal);
}

const command = '/rbac-api/v1/command/config';

export async function changeLoginText(text: string): Promise<void> {
  await (text === ''
    ? post(`${command}/remove-disclaimer`, {})
    : post(`${command}/set-disclaimer`, { disclaimer: text }));
}
