/** `/orchestrator/v1/targets`: which nodes a job would have. Not in the reference. */

import { ServiceError } from '../../../lib/service-error.ts';
import { json, type Route, withShapes } from '../../../platform/http/index.ts';
import { type ReachAnswer, ReachWire } from '../answers/wire.ts';
import type { TargetLevel } from '../targets/targets.ts';
import { askingOf, at, type OrchestratorRouteOptions } from './orchestrator-route.ts';
import { decodeTargets, TargetsWire } from './wire.ts';

export function targetRoute(options: OrchestratorRouteOptions): Route {
  const { orchestrator } = options;
  const described = at('POST', '/targets', options, async (request) => {
    const { limit, scope, task } = decodeTargets(await request.body());
    const isConnected = (name: string) => orchestrator.connection(name) !== undefined;
    try {
      const levels = await orchestrator.reach(scope, task, askingOf(request));
      const shown = levels.map((level) => presentLevel(level, limit, isConnected));
      const sum = (counted: 'total' | 'connected') => shown.reduce((all, level) => all + level[counted], 0);
      const reach = { total: sum('total'), connected: sum('connected'), levels: shown };
      return json(reach satisfies ReachAnswer);
    } catch (error) {
      // A job needs nodes; a question may have none as its answer.
      if (!(error instanceof ServiceError) || !isEmpty(error)) throw error;
      const nothing = { total: 0, connected: 0, levels: [], reason: error.message };
      return json(nothing satisfies ReachAnswer);
    }
  });
  return withShapes({ body: TargetsWire, answer: ReachWire }, described);
}

function isEmpty({ kind }: ServiceError): boolean {
  return (
    kind === 'puppetlabs.orchestrator/empty-target' || kind === 'puppetlabs.orchestrator/empty-environment'
  );
}

function presentLevel(
  { certnames, role }: TargetLevel,
  limit: number,
  isConnected: (name: string) => boolean,
): ReachAnswer['levels'][number] {
  return {
    ...(role === undefined ? {} : { role }),
    total: certnames.length,
    connected: certnames.filter(isConnected).length,
    nodes: certnames.slice(0, limit).map((name) => ({ name, connected: isConnected(name) })),
  };
}
