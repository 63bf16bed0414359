/** Commands that ask the orchestrator. */

import { type CommandLine, lastOf } from '../own-options.ts';
import {
  apiUrl,
  askService,
  orchestratorServices,
  type ServiceRequest,
  serviceOptions,
  tokenUsage,
} from '../service-connection.ts';

export const connectionOptions = serviceOptions;

export const connectionUsage = `  --service-url URL    Where the orchestrator is (default: on the primary, https://PRIMARY:8143/orchestrator/v1)
${tokenUsage}`;

/** @throws ServiceError `unavailable` when there is no answer; Error with what the orchestrator said */
export async function askOrchestrator(line: CommandLine, request: ServiceRequest): Promise<unknown> {
  return await askService(line, apiUrl(line, orchestratorServices, '/orchestrator/v1'), request);
}

/** @throws as `askOrchestrator` */
export async function askInventory(line: CommandLine, request: ServiceRequest): Promise<unknown> {
  const given = lastOf(line, '--service-url')?.replace(/\/orchestrator\/v1\/?$/, '/inventory/v1');
  const values = given === undefined ? line.values : new Map(line.values).set('--service-url', [given]);
  return await askService({ ...line, values }, apiUrl(line, orchestratorServices, '/inventory/v1'), request);
}
