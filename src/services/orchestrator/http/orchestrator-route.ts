/** What routes of the orchestrator have in common: who may call them, addresses, who asks. */

import {
  type Access,
  clientLink,
  type HttpRequest,
  type HttpResponse,
  type Link,
  type Route,
  route,
} from '../../../platform/http/index.ts';
import { actorOf } from '../actor.ts';
import type { Asking, Orchestrator } from '../orchestrator.ts';
import type { ScheduledJobs } from '../scheduling/scheduled-jobs.ts';
import type { TaskTargets } from '../task-targets/task-targets.ts';
import type { Usage } from '../usage.ts';

const prefix = '/orchestrator/v1';
/** A list of 100,000 nodes, and parameters with files in them. */
const commandBytes = 64 * 1024 * 1024;

export interface OrchestratorRouteOptions {
  readonly orchestrator: Orchestrator;
  readonly scheduled: ScheduledJobs;
  readonly taskTargets: TaskTargets;
  readonly usage: Usage;
  /** Users who may use the orchestrator at all, and certificates that may do everything. */
  readonly allow: Access;
  /** The server's own name and port, for clients that name none. */
  readonly authority: () => string;
}

type Handler = (request: HttpRequest, link: Link) => Promise<HttpResponse> | HttpResponse;

export function at(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { allow, authority }: OrchestratorRouteOptions,
  handle: Handler,
): Route {
  return route({
    method,
    path: prefix + path,
    allow,
    maxBodyBytes: commandBytes,
    handle: (request) => handle(request, clientLink(request, prefix, authority)),
  });
}

export function askingOf({ headers, identity, signal }: HttpRequest): Asking {
  const key = headers['idempotency-key'];
  return {
    actor: actorOf(identity),
    signal,
    ...(typeof key === 'string' && key !== '' ? { idempotencyKey: key.slice(0, 255) } : {}),
  };
}
