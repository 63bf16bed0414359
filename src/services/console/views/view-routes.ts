/** `/console-api/v1/views`: saved filters and queries. */

import { z } from 'zod';
import { ServiceError } from '../../../lib/service-error.ts';
import { type Access, type Identity, json, type Route, route } from '../../../platform/http/index.ts';
import { consoleBodies } from '../console-bodies.ts';
import { type SavedViewAnswer, SavedViewQueryWire, SavedViewWire } from '../wire.ts';
import type { SavedView, SavedViews, ViewUser } from './saved-views.ts';

const allow: Access = { kind: 'permission', permission: { objectType: 'nodes', action: 'view_data' } };

export function viewRoutes(views: SavedViews): readonly Route[] {
  const path = '/console-api/v1/views';
  return [
    route({
      method: 'GET',
      path,
      allow,
      shapes: { answer: z.array(SavedViewWire) },
      async handle({ identity }) {
        const user = userOf(identity);
        return json((await views.list(user)).map((view) => rendered(view, user)));
      },
    }),
    route({
      method: 'POST',
      path,
      allow,
      shapes: { body: SavedViewQueryWire, answer: SavedViewWire },
      async handle({ body, identity }) {
        const user = userOf(identity);
        return json(
          rendered(await views.add(user, consoleBodies.decode(SavedViewQueryWire, await body())), user),
        );
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/:id`,
      allow,
      shapes: { body: SavedViewQueryWire, answer: SavedViewWire },
      async handle({ body, identity, params }) {
        const user = userOf(identity);
        const wanted = consoleBodies.decode(SavedViewQueryWire, await body());
        return json(rendered(await views.change(user, params['id'] ?? '', wanted), user));
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:id`,
      allow,
      async handle({ identity, params }) {
        await views.remove(userOf(identity), params['id'] ?? '');
        return { status: 204 };
      },
    }),
  ];
}

function rendered(view: SavedView, user: ViewUser): SavedViewAnswer {
  return {
    id: view.id,
    kind: view.kind,
    name: view.name,
    content: view.content,
    is_shared: view.isShared,
    is_own: view.ownerId === user.id,
    owner: view.ownerLogin,
    changed_at: view.changedAt.toISOString(),
  };
}

function userOf(identity: Identity): ViewUser {
  if (identity.kind === 'user') return identity;
  throw new ServiceError('unauthorized', 'Route requires authentication');
}
