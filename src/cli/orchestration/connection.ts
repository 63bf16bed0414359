/** Commands that ask the orchestrator. */

import { type CommandLine, lastOf } from '../own-options.ts';
import {
  askService,
  type ServiceRequest,
  serviceOptions,
  serviceUrl,
  tokenUsage,
} from '../service-connection.ts';

export const connectionOptions = serviceOptions;

export const connectionUsage = `  --service-url URL    Where the orchestrator is (default: on the primary, https://PRIMARY:8143/orchestrator/v1)
${tokenUsage}`;

/** @throws ServiceError `unavailable` when there is no answer; Error with what the orchestrator said */
export async function askOrchestrator(line: CommandLine, request: ServiceRequest): Promise<unknown> {
  return await askService(line, orchestratorUrl(line), request);
}

/** @throws as `askOrchestrator` */
export async function askInventory(line: CommandLine, request: ServiceRequest): Promise<unknown> {
  const given = lastOf(line, '--service-url')?.replace(/\/orchestrator\/v1\/?$/, '/inventory/v1');
  const values = given === undefined ? line.values : new Map(line.values).set('--service-url', [given]);
  return await askService({ ...line, values }, primaryUrl(line, '/inventory/v1'), request);
}

function orchestratorUrl(line: CommandLine): string {
  return primaryUrl(line, '/orchestrator/v1');
}

function primaryUrl({ settings, values }: CommandLine, path: string): string {
  const url = serviceUrl(settings, settings.orchestratorPort, 8143);
  if (url !== undefined) return `${url}${path}`;
  if (values.has('--service-url')) return '';
  throw new Error(
    'The primary has no port for jobs: set orchestrator_port (8143 is usual) and start it again',
  );
}
