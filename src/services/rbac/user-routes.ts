/** Users: who there is, and what is changed of them. */

import { type Access, type HttpResponse, json, type Route, route } from '../../platform/http/index.ts';
import { actorOf, created, noContent, parameter } from './actor.ts';
import {
  type NewId,
  NewIdWire,
  type NewToken,
  NewTokenWire,
  TokensPageWire,
  UserAnswerWire,
  type UsersPage,
  UsersPageWire,
  UsersWire,
} from './answers/wire.ts';
import { pageOf } from './page.ts';
import type { Rbac } from './rbac.ts';
import { rbacError } from './rbac-error.ts';
import type { Token } from './token.ts';
import type { Actor, User } from './user.ts';
import { apiUser } from './user.ts';
import type { UserChange } from './users.ts';
import {
  ChangePasswordWire,
  decodeBody,
  decodeShown,
  NewUserWire,
  ResetWire,
  renderToken,
  renderUser,
  TokenOrderWire,
  UserIdWire,
  UserRolesWire,
  UserWire,
} from './wire.ts';

const base = '/rbac-api/v1/users';
const one = `${base}/:id`;

export function userRoutes(rbac: Rbac, allow: Access): readonly Route[] {
  return [
    ...readingRoutes(rbac, allow),
    ...changingRoutes(rbac, allow),
    ...commandRoutes(rbac, allow),
    ...passwordRoutes(rbac, allow),
    ...ownTokenRoutes(rbac, allow),
  ];
}

function readingRoutes({ groups, users }: Rbac, allow: Access): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: base,
      allow,
      shapes: { answer: UsersWire },
      async handle({ query }) {
        const wanted = query.get('id')?.split(',');
        const all = [apiUser, ...(await users.all())];
        const found = all.filter(({ id }) => wanted === undefined || wanted.includes(id));
        const known = await groups.all();
        return json(found.map((user) => renderUser(user, known)));
      },
    }),
    route({
      method: 'GET',
      path: '/rbac-api/v2/users',
      allow,
      shapes: { answer: UsersPageWire },
      async handle({ query }) {
        const all = [apiUser, ...(await users.all())];
        const { items, pagination } = pageOf(all, query, userPages);
        const known = await groups.all();
        return json({ users: items.map((user) => renderUser(user, known)), pagination } satisfies UsersPage);
      },
    }),
    route({
      method: 'GET',
      path: `${base}/current`,
      allow,
      shapes: { answer: UserAnswerWire },
      handle: async ({ identity }) =>
        json(renderUser(await users.get(actorOf(identity).id), await groups.all())),
    }),
    route({
      method: 'GET',
      path: one,
      allow,
      shapes: { answer: UserAnswerWire },
      handle: async (request) =>
        json(renderUser(await users.get(parameter(request, 'id')), await groups.all())),
    }),
  ];
}

const userPages = {
  orderBy: {
    login: ({ login }: User) => login,
    email: ({ email }: User) => email,
    display_name: ({ displayName }: User) => displayName,
    last_login: ({ lastLogin }: User) => lastLogin?.getTime() ?? 0,
    id: ({ id }: User) => id,
  },
  text: ({ displayName, email, login }: User) => `${login}\n${displayName}\n${email}`,
  defaultLimit: 500,
};

const tokenPages = {
  orderBy: {
    creation_date: ({ createdAt }: Token) => createdAt.getTime(),
    expiration_date: ({ expiresAt }: Token) => expiresAt.getTime(),
    last_active_date: ({ lastActiveAt }: Token) => lastActiveAt.getTime(),
    client: ({ client }: Token) => client ?? '',
  },
  defaultLimit: 500,
};

function changingRoutes({ groups, users }: Rbac, allow: Access): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: base,
      allow,
      shapes: { body: NewUserWire },
      async handle({ body, identity }) {
        const { definition, password } = decodeBody(NewUserWire, await body());
        const { id } = await users.create(definition, password, actorOf(identity));
        return created(`${base}/${id}`);
      },
    }),
    route({
      method: 'PUT',
      path: one,
      allow,
      shapes: { body: UserWire, answer: UserAnswerWire },
      async handle(request) {
        const id = parameter(request, 'id');
        const { id: bodyId = id, ...change } = decodeBody(UserWire, await request.body());
        if (bodyId !== id)
          throw rbacError('bad-request', 'inconsistent-id', 'The ID in the body is not that of the path', {
            'url-id': id,
            'body-id': bodyId,
          });
        const user = await users.change(id, change, actorOf(request.identity));
        return json(renderUser(user, await groups.all()));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      allow,
      shapes: { body: UserWire },
      async handle(request) {
        const shown = decodeShown(UserWire, await request.body());
        await users.remove(parameter(request, 'id'), actorOf(request.identity), shown);
        return noContent;
      },
    }),
  ];
}

/** One part of a user at a time. */
function commandRoutes({ users }: Rbac, allow: Access): readonly Route[] {
  const create = route({
    method: 'POST',
    path: '/rbac-api/v1/command/users/create',
    allow,
    shapes: { body: NewUserWire, answer: NewIdWire },
    async handle({ body, identity }) {
      const { definition, password } = decodeBody(NewUserWire, await body());
      const { id } = await users.create(definition, password, actorOf(identity));
      return json({ id } satisfies NewId);
    },
  });
  type Read = (body: Buffer) => { readonly id: string; readonly part: (user: User) => Partial<UserChange> };
  const command = (name: string, read: Read) =>
    route({
      method: 'POST',
      path: `/rbac-api/v1/command/users/${name}`,
      allow,
      async handle({ body, identity }): Promise<HttpResponse> {
        const { id, part } = read(await body());
        await users.changePart(id, part, actorOf(identity));
        return noContent;
      },
    });
  const revoking = (isRevoked: boolean) => (body: Buffer) => ({
    id: decodeBody(UserIdWire, body).user_id,
    part: () => ({ isRevoked }),
  });
  return [
    create,
    command('revoke', revoking(true)),
    command('reinstate', revoking(false)),
    command('add-roles', (body) => {
      const { roleIds, userId } = decodeBody(UserRolesWire, body);
      return { id: userId, part: (user) => ({ roleIds: [...new Set([...user.roleIds, ...roleIds])] }) };
    }),
    command('remove-roles', (body) => {
      const { roleIds, userId } = decodeBody(UserRolesWire, body);
      return {
        id: userId,
        part: (user) => ({ roleIds: user.roleIds.filter((id) => !roleIds.includes(id)) }),
      };
    }),
  ];
}

function passwordRoutes({ users }: Rbac, allow: Access): readonly Route[] {
  return [
    route({
      method: 'PUT',
      path: `${base}/current/password`,
      allow: { kind: 'permission' },
      shapes: { body: ChangePasswordWire },
      async handle({ body, identity }) {
        const { current, password } = decodeBody(ChangePasswordWire, await body());
        await users.changePassword(actorOf(identity), current, password);
        return { status: 200 };
      },
    }),
    route({
      method: 'POST',
      path: `${one}/password/reset`,
      allow,
      async handle(request) {
        const text = await users.allowReset(parameter(request, 'id'), actorOf(request.identity));
        return { status: 201, headers: { 'content-type': 'text/plain;charset=utf-8' }, body: text };
      },
    }),
    route({
      method: 'POST',
      path: '/rbac-api/v1/auth/reset',
      allow: { kind: 'anyone' },
      shapes: { body: ResetWire },
      async handle({ body, identity }) {
        const { password, token } = decodeBody(ResetWire, await body());
        await users.reset(token, password, identity.address);
        return { status: 200 };
      },
    }),
  ];
}

function ownTokenRoutes({ store, tokens, users }: Rbac, allow: Access): readonly Route[] {
  const path = `${one}/tokens`;
  return [
    route({
      method: 'GET',
      path,
      allow,
      shapes: { answer: TokensPageWire },
      async handle(request) {
        const user = await users.get(parameter(request, 'id'));
        demandOwn(actorOf(request.identity), user);
        const tokens = (await store.tokensOf(user.id)).filter(({ isRevoked }) => !isRevoked);
        const { items, pagination } = pageOf(tokens, request.query, tokenPages);
        return json({ items: items.map(renderToken), pagination });
      },
    }),
    // Ours: a token for somebody who has no password, like a pipeline.
    route({
      method: 'POST',
      path,
      allow,
      shapes: { body: TokenOrderWire, answer: NewTokenWire },
      async handle(request) {
        const order = decodeBody(TokenOrderWire, await request.body());
        const user = await users.get(parameter(request, 'id'));
        const token = await tokens.vouch(user, order, actorOf(request.identity));
        return json({ token } satisfies NewToken);
      },
    }),
  ];
}

function demandOwn(actor: Actor, { id, login }: User): void {
  if (actor.id === id || actor.permits({ objectType: 'users', action: 'disable', instance: id })) return;
  throw rbacError('forbidden', 'permission-denied', `${actor.login} may not see the tokens of ${login}`);
}
