/** The line that installs an agent, and the settings of the server. */

import type { SettingsAnswer } from '../../../src/services/console/settings/wire.ts';
import type { AgentInstallation } from '../../../src/services/packages/answers/wire.ts';
import { get, post } from './client.ts';

export type {
  ListedSetting as SettingRow,
  SettingsAnswer,
} from '../../../src/services/console/settings/wire.ts';
export type { AgentInstallation } from '../../../src/services/packages/answers/wire.ts';

export interface InstallationOrder {
  readonly environment?: string | undefined;
  /** Separated by commas. */
  readonly alt_names?: string | undefined;
  /** `pp_role=web`, separated by commas. */
  readonly extensions?: string | undefined;
}

/** @throws ApiError 400 that names the invalid option */
export async function readInstallation(
  order: InstallationOrder,
  signal: AbortSignal,
): Promise<AgentInstallation> {
  return await get('/console-api/v1/agent-installation', { ...order }, signal);
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
