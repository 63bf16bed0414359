/** `POST /console-api/v1/explain` */

import { type Access, type Identity, json, type Route, route } from '../../../platform/http/index.ts';
import { consoleBodies } from '../console-bodies.ts';
import { requirePermission } from '../required-permission.ts';
import { explain } from './explain.ts';
import type { ExplainSource } from './explain-source.ts';
import { ExplainAnswerWire, ExplainQueryWire } from './wire.ts';

const allow: Access = { kind: 'permission', permission: { objectType: 'nodes', action: 'view_data' } };

export function explainRoute(source: ExplainSource): Route {
  return route({
    method: 'POST',
    path: '/console-api/v1/explain',
    allow,
    shapes: { body: ExplainQueryWire, answer: ExplainAnswerWire },
    async handle({ body, identity, signal }) {
      const query = consoleBodies.decode(ExplainQueryWire, await body());
      requirePermission(identity, { objectType: 'puppetserver', action: 'compile_catalogs' });
      return json(await explain(restricted(source, identity), query, signal));
    },
  });
}

/** Leaves out groups unless the user may see them. */
function restricted(source: ExplainSource, identity: Identity): ExplainSource {
  const { givingGroups, ...others } = source;
  const seesGroups =
    identity.kind === 'user' &&
    identity.permits({ objectType: 'node_groups', action: 'view', instance: '*' });
  return seesGroups && givingGroups !== undefined ? { ...others, givingGroups } : others;
}
