/** Commands that ask the code manager. */

import { existsSync } from 'node:fs';
import { ServiceError } from '../../lib/service-error.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { CommandLine } from '../own-options.ts';
import { primaryUrl } from '../primary-connection.ts';
import { askService, type ServiceRequest, serviceOptions, tokenUsage } from '../service-connection.ts';

/** Options of every command that asks the code manager. */
export const connectionOptions = serviceOptions;

export const connectionUsage = `  --service-url URL    Where the code manager is (default: on the primary, https://PRIMARY:8170/code-manager)
${tokenUsage}`;

export interface CodeRequest extends ServiceRequest {
  readonly method: 'GET' | 'POST';
}

/** Whether this installation deploys from control repositories, rather than what somebody staged. */
export function hasCodeManager({ values, settings }: CommandLine): boolean {
  if (values.has('--service-url')) return true;
  return settings.codeManagerPort !== 0 && existsSync(settings.codeManagerConfig);
}

/** @throws ServiceError `unavailable` when there is no answer; Error with what the code manager said */
export async function askCodeManager(line: CommandLine, request: CodeRequest): Promise<unknown> {
  try {
    return await askService(line, codeManagerUrl(line.settings), request);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason !== 'unavailable') throw error;
    throw new Error(`${error.message}. ${absenceHint(line)}`, { cause: error });
  }
}

/** The likely reason for a missing answer. */
function absenceHint(line: CommandLine): string {
  const { codeManagerConfig, codeManagerPort, primary } = line.settings;
  // The primary's settings are not known on another host.
  if (primary !== '' || hasCodeManager(line))
    return 'Does the primary run, and had it its r10k.yaml when it was started?';
  const what =
    codeManagerPort === 0
      ? 'The code manager is switched off: set code_manager_port (8170 is usual)'
      : `There is no code manager without ${codeManagerConfig}: name the control repository in it`;
  return `${what} and start the primary again. Until then 'bunraku code commit' deploys what is staged`;
}

function codeManagerUrl(settings: Settings): string {
  return `${primaryUrl(settings).replace(/:\d+$/, `:${settings.codeManagerPort}`)}/code-manager`;
}
