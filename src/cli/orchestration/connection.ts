/** Commands that ask the orchestrator. */

import type { CommandLine } from '../own-options.ts';
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

function orchestratorUrl({ settings, values }: CommandLine): string {
  const url = serviceUrl(settings, settings.orchestratorPort, 8143);
  if (url !== undefined) return `${url}/orchestrator/v1`;
  if (values.has('--service-url')) return '';
  throw new Error(
    'The primary has no port for jobs: set orchestrator_port (8143 is usual) and start it again',
  );
}
