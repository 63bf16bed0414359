/** Permissions: which there are, and who has them. */

import { type Access, type HttpRequest, json, type Route, route } from '../../platform/http/index.ts';
import { actorOf, parameter } from './actor.ts';
import { ObjectTypesWire } from './answers/wire.ts';
import { findAction, objectTypes } from './object-types.ts';
import { grantedInstances, isGranted } from './permission.ts';
import type { Rbac } from './rbac.ts';
import { rbacError } from './rbac-error.ts';
import { decodeBody, PermittedWire, renderObjectType } from './wire.ts';

const permitted = '/rbac-api/v1/permitted';
const instances = `${permitted}/:type/:action`;

export function permissionRoutes({ roles, users }: Rbac, allow: Access): readonly Route[] {
  const permissionsOf = async (userId: string) => roles.permissionsOfUser(await users.get(userId));
  const answerInstances = async (request: HttpRequest, userId: string) => {
    const [type, action] = [parameter(request, 'type'), parameter(request, 'action')];
    if (findAction(type, action) === undefined)
      throw rbacError('not-found', 'not-found', `There is no permission ${type}:${action}`);
    return json(grantedInstances(await permissionsOf(userId), type, action));
  };
  return [
    route({
      method: 'GET',
      path: '/rbac-api/v1/types',
      allow,
      shapes: { answer: ObjectTypesWire },
      handle: () => json(objectTypes.map(renderObjectType)),
    }),
    route({
      method: 'POST',
      path: permitted,
      allow,
      async handle({ body }) {
        // What is called a token here is the ID of a user.
        const { permissions, token } = decodeBody(PermittedWire, await body());
        const granted = await permissionsOf(token);
        return json(permissions.map((wanted) => isGranted(granted, wanted)));
      },
    }),
    route({
      method: 'GET',
      path: instances,
      allow,
      handle: (request) => answerInstances(request, actorOf(request.identity).id),
    }),
    route({
      method: 'GET',
      path: `${instances}/:id`,
      allow,
      handle: (request) => answerInstances(request, parameter(request, 'id')),
    }),
  ];
}
