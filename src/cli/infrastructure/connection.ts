/** Commands that ask the primary about the servers of the installation. */

import type { CommandLine } from '../own-options.ts';
import { primaryUrl } from '../primary-connection.ts';
import { askService, type ServiceRequest, tokenUsage } from '../service-connection.ts';

export const connectionOptions = ['--token-file', '-t', '--cacert'] as const;

export const connectionUsage = tokenUsage;

/** @param request - below `/infrastructure/v1` @throws Error with what the primary said */
export async function askInfrastructure(line: CommandLine, request: ServiceRequest): Promise<unknown> {
  return await askService(line, `${primaryUrl(line.settings)}/infrastructure/v1`, request);
}
