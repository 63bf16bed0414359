/** User groups. They come from directories, and no directory can be connected yet: the list is empty. */

import { type Access, json, type Route, route } from '../../platform/http/index.ts';
import { parameter } from './actor.ts';
import { pageOf } from './page.ts';
import { rbacError } from './rbac-error.ts';

export function groupRoutes(allow: Access): readonly Route[] {
  const importing = (path: string) =>
    route({
      method: 'POST',
      path,
      allow,
      handle() {
        const message = 'User groups are imported from a directory, and no directory is connected';
        throw rbacError('bad-request', 'directory-not-configured', message);
      },
    });
  return [
    route({ method: 'GET', path: '/rbac-api/v1/groups', allow, handle: () => json([]) }),
    route({
      method: 'GET',
      path: '/rbac-api/v1/groups/:id',
      allow,
      handle(request) {
        const id = parameter(request, 'id');
        throw rbacError('not-found', 'not-found', `There is no user group with the ID ${id}`);
      },
    }),
    route({
      method: 'GET',
      path: '/rbac-api/v2/groups',
      allow,
      handle({ query }) {
        const rules = {
          orderBy: { login: () => '', display_name: () => '', id: () => '' },
          defaultLimit: 500,
        };
        const { items, pagination } = pageOf([], query, rules);
        return json({ groups: items, pagination });
      },
    }),
    importing('/rbac-api/v1/groups'),
    importing('/rbac-api/v2/groups'),
    importing('/rbac-api/v1/command/groups/create'),
  ];
}
