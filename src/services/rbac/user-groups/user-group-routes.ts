/** User groups as Puppet Enterprise's clients know them. */

import { type Access, json, type Route, route } from '../../../platform/http/index.ts';
import { actorOf, created, noContent, parameter } from '../actor.ts';
import { NewIdWire, UserGroupAnswerWire, UserGroupsWire } from '../answers/wire.ts';
import { pageOf } from '../page.ts';
import { rbacError } from '../rbac-error.ts';
import type { User } from '../user.ts';
import type { Users } from '../users.ts';
import { decodeBody } from '../wire.ts';
import { groupsOfUser, type UserGroup } from './user-group.ts';
import { GroupImportWire, renderUserGroup, UserGroupWire } from './user-group-wire.ts';
import type { UserGroups } from './user-groups.ts';

const base = '/rbac-api/v1/groups';
const one = `${base}/:id`;

const groupPages = {
  orderBy: {
    login: ({ login }: UserGroup) => login,
    display_name: ({ displayName }: UserGroup) => displayName,
    id: ({ id }: UserGroup) => id,
  },
  text: ({ displayName, login }: UserGroup) => `${login}\n${displayName}`,
  defaultLimit: 500,
};

export function userGroupRoutes(groups: UserGroups, users: Users, allow: Access): readonly Route[] {
  return [...readingRoutes(groups, users, allow), ...changingRoutes(groups, users, allow)];
}

function readingRoutes(groups: UserGroups, users: Users, allow: Access): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: base,
      allow,
      shapes: { answer: UserGroupsWire },
      async handle({ query }) {
        const wanted = query.get('id')?.split(',');
        const all = (await groups.all()).filter(({ id }) => wanted === undefined || wanted.includes(id));
        const known = await users.all();
        return json(all.map((group) => rendered(group, known)));
      },
    }),
    route({
      method: 'GET',
      path: one,
      allow,
      shapes: { answer: UserGroupAnswerWire },
      async handle(request) {
        return json(rendered(await groups.get(parameter(request, 'id')), await users.all()));
      },
    }),
    route({
      method: 'GET',
      path: '/rbac-api/v2/groups',
      allow,
      async handle({ query }) {
        const { items, pagination } = pageOf(await groups.all(), query, groupPages);
        const known = await users.all();
        return json({ groups: items.map((group) => rendered(group, known)), pagination });
      },
    }),
  ];
}

function changingRoutes(groups: UserGroups, users: Users, allow: Access): readonly Route[] {
  const importing = (path: string) =>
    route({
      method: 'POST',
      path,
      allow,
      shapes: { body: GroupImportWire },
      async handle({ body, identity }) {
        const { id } = await groups.import(decodeBody(GroupImportWire, await body()), actorOf(identity));
        return created(`${base}/${id}`);
      },
    });
  return [
    importing(base),
    importing('/rbac-api/v2/groups'),
    route({
      method: 'POST',
      path: '/rbac-api/v1/command/groups/create',
      allow,
      shapes: { body: GroupImportWire, answer: NewIdWire },
      async handle({ body, identity }) {
        const { id } = await groups.import(decodeBody(GroupImportWire, await body()), actorOf(identity));
        return json({ id });
      },
    }),
    route({
      method: 'PUT',
      path: one,
      allow,
      shapes: { body: UserGroupWire, answer: UserGroupAnswerWire },
      async handle(request) {
        const id = parameter(request, 'id');
        const { id: bodyId = id, roleIds } = decodeBody(UserGroupWire, await request.body());
        if (bodyId !== id)
          throw rbacError('bad-request', 'inconsistent-id', 'The ID in the body is not that of the path', {
            'url-id': id,
            'body-id': bodyId,
          });
        const group = await groups.changeRoles(id, roleIds, actorOf(request.identity));
        return json(rendered(group, await users.all()));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      allow,
      async handle(request) {
        await groups.remove(parameter(request, 'id'), actorOf(request.identity));
        return noContent;
      },
    }),
  ];
}

function rendered(group: UserGroup, users: readonly User[]) {
  const members = users.filter((user) => groupsOfUser(user, [group]).length > 0);
  return renderUserGroup(
    group,
    members.map(({ id }) => id),
  );
}
