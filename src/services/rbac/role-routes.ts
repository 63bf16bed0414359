/** Roles: built-in ones, and an operator's own. */

import { type Access, type HttpRequest, json, type Route, route } from '../../platform/http/index.ts';
import { actorOf, created, parameter } from './actor.ts';
import { RoleAnswerWire, RolesWire } from './answers/wire.ts';
import type { Rbac } from './rbac.ts';
import { rbacError } from './rbac-error.ts';
import { decodeBody, decodeShown, RoleWire, renderRole, ShownRoleWire } from './wire.ts';

const base = '/rbac-api/v1/roles';
const one = `${base}/:id`;

export function roleRoutes({ roles }: Rbac, allow: Access): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: base,
      allow,
      shapes: { answer: RolesWire },
      handle: async () => json((await roles.all()).map(renderRole)),
    }),
    route({
      method: 'GET',
      path: one,
      allow,
      shapes: { answer: RoleAnswerWire },
      handle: async (request) => json(renderRole(await roles.get(idOf(request)))),
    }),
    route({
      method: 'POST',
      path: base,
      allow,
      shapes: { body: RoleWire },
      async handle({ body, identity }) {
        const { id } = await roles.create(decodeBody(RoleWire, await body()), actorOf(identity));
        return created(`${base}/${id}`);
      },
    }),
    route({
      method: 'PUT',
      path: one,
      allow,
      shapes: { body: RoleWire, answer: RoleAnswerWire },
      async handle(request) {
        const definition = decodeBody(RoleWire, await request.body());
        return json(renderRole(await roles.replace(idOf(request), definition, actorOf(request.identity))));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      allow,
      shapes: { body: ShownRoleWire },
      async handle(request) {
        const shown = decodeShown(ShownRoleWire, await request.body());
        await roles.remove(idOf(request), actorOf(request.identity), shown);
        return { status: 200 };
      },
    }),
  ];
}

function idOf(request: HttpRequest): number {
  const text = parameter(request, 'id');
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw rbacError('not-found', 'not-found', `There is no role with the ID ${text}`);
}
