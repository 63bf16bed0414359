/** The SAML provider: `/rbac-api/v1/saml`, as Puppet Enterprise has it. */

import { type Access, json, type Route, route } from '../../../platform/http/index.ts';
import { actorOf } from '../actor.ts';
import { demandEdit } from '../directory/directories.ts';
import { rbacError } from '../rbac-error.ts';
import { decodeBody } from '../wire.ts';
import {
  SamlAnswerWire,
  SamlDeletedWire,
  type SamlServiceProvider,
  SamlServiceProviderWire,
} from './answers/wire.ts';
import type { SamlProvider } from './identity-provider.ts';
import type { IdentityProviders } from './identity-providers.ts';
import { renderSamlProvider, SamlProviderWire } from './saml-wire.ts';

const path = '/rbac-api/v1/saml';

export function samlRoutes(providers: IdentityProviders, allow: Access): readonly Route[] {
  const configured = async (): Promise<SamlProvider> => {
    const provider = await providers.saml();
    if (provider === undefined) throw rbacError('not-found', 'not-found', 'SAML is not configured');
    return provider;
  };
  return [
    route({
      method: 'GET',
      path,
      allow,
      shapes: { answer: SamlAnswerWire },
      async handle({ identity }) {
        demandEdit(actorOf(identity));
        return json(renderSamlProvider(await configured()));
      },
    }),
    route({
      method: 'PUT',
      path,
      allow,
      shapes: { body: SamlProviderWire, answer: SamlAnswerWire },
      async handle({ body, identity }) {
        const actor = actorOf(identity);
        demandEdit(actor);
        const isNew = await providers.replaceSaml(decodeBody(SamlProviderWire, await body()), actor);
        return json(renderSamlProvider(await configured()), isNew ? 201 : 200);
      },
    }),
    route({
      method: 'DELETE',
      path,
      allow,
      shapes: { answer: SamlDeletedWire },
      async handle({ identity }) {
        const actor = actorOf(identity);
        demandEdit(actor);
        await providers.remove((await configured()).id, actor);
        return json({});
      },
    }),
    route({
      method: 'GET',
      path: `${path}/meta`,
      allow,
      shapes: { answer: SamlServiceProviderWire },
      async handle({ identity }) {
        demandEdit(actorOf(identity));
        const { acsUrl: acs, certificate: cert, entityId: meta } = await providers.serviceProvider();
        return json({ meta, acs, cert } satisfies SamlServiceProvider);
      },
    }),
  ];
}
