/** Identity providers: connected, changed, tested and deleted, as directories are. */

import { type Access, json, type Route, route } from '../../../platform/http/index.ts';
import { actorOf, noContent, parameter } from '../actor.ts';
import { type NewId, NewIdWire } from '../answers/wire.ts';
import { demandEdit } from '../directory/directories.ts';
import { decodeBody } from '../wire.ts';
import {
  OidcAnswerWire,
  OidcListWire,
  type ProviderAnswer,
  ProvidersWire,
  type ProviderTest,
  ProviderTestWire,
} from './answers/wire.ts';
import type { IdentityProviders } from './identity-providers.ts';
import { OidcProviderWire, ProviderIdWire, renderOidcProvider } from './oidc-wire.ts';

const list = '/rbac-api/v1/oidc';
const command = '/rbac-api/v1/command/oidc';

export function providerRoutes(providers: IdentityProviders, allow: Access): readonly Route[] {
  return [...readingRoutes(providers, allow), ...commandRoutes(providers, allow)];
}

function readingRoutes(providers: IdentityProviders, allow: Access): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/rbac-api/v2/identity-providers',
      allow,
      shapes: { answer: ProvidersWire },
      async handle({ identity }) {
        demandEdit(actorOf(identity));
        const saml = await providers.saml();
        const all = [...(await providers.oidc()), ...(saml === undefined ? [] : [saml])];
        const shown = all.map(
          ({ displayName, id, name, settings }): ProviderAnswer => ({
            id,
            kind: settings.kind,
            name,
            display_name: displayName,
          }),
        );
        return json(shown);
      },
    }),
    route({
      method: 'GET',
      path: list,
      allow,
      shapes: { answer: OidcListWire },
      async handle({ identity }) {
        demandEdit(actorOf(identity));
        return json((await providers.oidc()).map(renderOidcProvider));
      },
    }),
    route({
      method: 'GET',
      path: `${list}/:id`,
      allow,
      shapes: { answer: OidcAnswerWire },
      async handle(request) {
        demandEdit(actorOf(request.identity));
        return json(renderOidcProvider(await providers.getOidc(parameter(request, 'id'))));
      },
    }),
  ];
}

function commandRoutes(providers: IdentityProviders, allow: Access): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: `${command}/create`,
      allow,
      shapes: { body: OidcProviderWire, answer: NewIdWire },
      async handle({ body, identity }) {
        const actor = actorOf(identity);
        demandEdit(actor);
        const { submitted } = decodeBody(OidcProviderWire, await body());
        return json({ id: (await providers.create(submitted, actor)).id } satisfies NewId);
      },
    }),
    route({
      method: 'POST',
      path: `${command}/update`,
      allow,
      shapes: { body: OidcProviderWire, answer: OidcAnswerWire },
      async handle({ body, identity }) {
        const actor = actorOf(identity);
        demandEdit(actor);
        const { id = '', submitted } = decodeBody(OidcProviderWire, await body());
        await providers.updateOidc(id, submitted, actor);
        return json(renderOidcProvider(await providers.getOidc(id)));
      },
    }),
    route({
      method: 'POST',
      path: `${command}/delete`,
      allow,
      shapes: { body: ProviderIdWire },
      async handle({ body, identity }) {
        const actor = actorOf(identity);
        demandEdit(actor);
        const { id } = decodeBody(ProviderIdWire, await body());
        await providers.remove((await providers.getOidc(id)).id, actor);
        return noContent;
      },
    }),
    route({
      method: 'POST',
      path: `${command}/test`,
      allow,
      shapes: { body: OidcProviderWire, answer: ProviderTestWire },
      async handle({ body, identity }) {
        const actor = actorOf(identity);
        demandEdit(actor);
        const { id, submitted } = decodeBody(OidcProviderWire, await body());
        const stored = id === undefined ? undefined : await providers.getOidc(id);
        const { elapsedMs: elapsed, error } = await providers.test(submitted, stored, actor);
        return error === undefined ? json({ elapsed } satisfies ProviderTest) : json({ elapsed, error }, 400);
      },
    }),
  ];
}
