/** Tokens: login, more of them, what they stand for, and their end. */

import { authorOf } from '../../platform/changes/index.ts';
import { type Access, type HttpRequest, json, type Route, route } from '../../platform/http/index.ts';
import { actorOf, noContent, parameter } from './actor.ts';
import { NewTokenWire, type OwnedTokensPage, OwnedTokensPageWire } from './answers/wire.ts';
import { pageOf } from './page.ts';
import type { Rbac } from './rbac.ts';
import { type RevocationRequest, revoke, revokeOne } from './revocation.ts';
import type { OwnedToken } from './token.ts';
import {
  AuthenticateWire,
  decodeBody,
  LoginWire,
  RevocationWire,
  renderAuthenticated,
  renderOwnedToken,
  TokenOrderWire,
} from './wire.ts';

const anyone: Access = { kind: 'anyone' };

const listPages = {
  orderBy: {
    last_active_date: ({ token }: OwnedToken) => token.lastActiveAt.getTime(),
    creation_date: ({ token }: OwnedToken) => token.createdAt.getTime(),
    expiration_date: ({ token }: OwnedToken) => token.expiresAt.getTime(),
    login: ({ user }: OwnedToken) => user.login,
  },
  text: ({ token, user }: OwnedToken) => `${user.login}\n${token.label ?? ''}\n${token.description ?? ''}`,
  defaultLimit: 500,
};

export function tokenRoutes({ groups, now, store, tokens, users }: Rbac, allow: Access): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/rbac-api/v1/auth/token',
      allow: anyone,
      shapes: { body: LoginWire, answer: NewTokenWire },
      async handle({ body, identity }) {
        const { credentials, order } = decodeBody(LoginWire, await body());
        return json({ token: await tokens.login(credentials, order, identity.address) });
      },
    }),
    route({
      method: 'POST',
      path: '/rbac-api/v1/tokens',
      allow: { kind: 'permission' },
      shapes: { body: TokenOrderWire, answer: NewTokenWire },
      async handle({ body, identity }) {
        const actor = actorOf(identity);
        const order = decodeBody(TokenOrderWire, await body());
        return json({ token: await tokens.vouch(await users.get(actor.id), order, actor) });
      },
    }),
    route({
      method: 'POST',
      path: '/rbac-api/v2/auth/token/authenticate',
      allow: anyone,
      shapes: { body: AuthenticateWire },
      async handle({ body }) {
        const { isActivity, token: text } = decodeBody(AuthenticateWire, await body());
        const { token, user } = await tokens.find(text, isActivity);
        return json(renderAuthenticated(token, user, await groups.all()));
      },
    }),
    listRoute(store, now, allow),
    route({
      method: 'DELETE',
      path: '/rbac-api/v2/tokens',
      allow,
      async handle(request) {
        await revoke(store, await readRevocation(request), actorOf(request.identity), now());
        return noContent;
      },
    }),
    route({
      method: 'DELETE',
      path: '/rbac-api/v2/tokens/:token',
      // The token in the path is proof enough: its bearer may give it up.
      allow: anyone,
      isPathSecret: true,
      async handle(request) {
        await revokeOne(store, parameter(request, 'token'), { author: authorOf(request.identity) }, now());
        return noContent;
      },
    }),
  ];
}

/** Ours: the valid tokens of all users whose tokens the caller may revoke. */
function listRoute(store: Rbac['store'], now: Rbac['now'], allow: Access): Route {
  return route({
    method: 'GET',
    path: '/rbac-api/v2/tokens',
    allow,
    shapes: { answer: OwnedTokensPageWire },
    async handle({ identity, query }) {
      const actor = actorOf(identity);
      const visible = (await store.validTokens(now())).filter(
        ({ user: { id } }) =>
          actor.id === id || actor.permits({ objectType: 'users', action: 'disable', instance: id }),
      );
      const { items, pagination } = pageOf(visible, query, listPages);
      return json({ items: items.map(renderOwnedToken), pagination } satisfies OwnedTokensPage);
    },
  });
}

/** Of the query and of the body: both count. */
async function readRevocation({ body, query }: HttpRequest): Promise<RevocationRequest> {
  const {
    revoke_tokens: tokens,
    revoke_tokens_by_ids: ids,
    revoke_tokens_by_labels: labels,
    revoke_tokens_by_usernames: logins,
    ...others
  } = decodeBody(RevocationWire, await body());
  const listed = (name: string) => (query.get(name) ?? '').split(',').filter((text) => text !== '');
  const known = Object.keys(RevocationWire.shape);
  return {
    tokens: [...listed('revoke_tokens'), ...tokens],
    ids: [...listed('revoke_tokens_by_ids'), ...ids],
    labels: [...listed('revoke_tokens_by_labels'), ...labels],
    logins: [...listed('revoke_tokens_by_usernames'), ...logins],
    unrecognized: [...[...query.keys()].filter((name) => !known.includes(name)), ...Object.keys(others)],
  };
}
