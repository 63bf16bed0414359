/** `POST /console-api/v1/changes/why` */

import { type Access, type Identity, json, type Route, route } from '../../../platform/http/index.ts';
import { consoleBodies } from '../console-bodies.ts';
import { WhyAnswerWire, WhyQueryWire } from '../wire.ts';
import { explainChange } from './explain-change.ts';
import type { WhySource } from './why-source.ts';

const allow: Access = { kind: 'permission', permission: { objectType: 'nodes', action: 'view_data' } };

export function whyRoute(source: WhySource): Route {
  return route({
    method: 'POST',
    path: '/console-api/v1/changes/why',
    allow,
    shapes: { body: WhyQueryWire, answer: WhyAnswerWire },
    async handle({ body, identity, signal }) {
      const request = consoleBodies.decode(WhyQueryWire, await body());
      return json(await explainChange(restricted(source, identity), request, signal));
    },
  });
}

/** What the user may see: lines of code are for those who deploy it, groups for those who may see groups. */
function restricted(source: WhySource, identity: Identity): WhySource {
  const may = (objectType: string, action: string, instance = '*') =>
    identity.kind === 'user' && identity.permits({ objectType, action, instance });
  const { explanation, groupChanges } = source;
  const seesGroups = may('node_groups', 'view');
  return {
    rows: (...asked) => source.rows(...asked),
    changedFiles: (...asked) => source.changedFiles(...asked),
    changedLines: async (environment, ...asked) =>
      may('environment', 'deploy_code', environment) ? await source.changedLines(environment, ...asked) : '',
    ...(seesGroups && groupChanges !== undefined ? { groupChanges } : {}),
    ...(seesGroups && explanation !== undefined ? { explanation } : {}),
  };
}
