/** OpenID providers as they cross the network. */

import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { withoutNul } from '../wire.ts';
import type { OidcAnswer } from './answers/wire.ts';
import {
  type OidcProvider,
  type OidcProviderSettings,
  type SubmittedProvider,
  samlName,
} from './identity-provider.ts';

const Text = z.string().trim().min(1).regex(withoutNul);
const Claim = Text.max(200);

/** It becomes a part of the URLs that the provider has to know. */
const Name = z
  .string()
  .regex(/^[a-z\d][a-z\d-]{0,62}$/, 'lower-case letters, digits and hyphens, at most 63 of them')
  .refine((text) => text !== samlName, `another name than ${samlName}`);

export const ProviderUrl = z.string().refine(isSafeUrl, 'a URL with https:, or http: for this machine alone');

const fields = {
  name: Name,
  display_name: Text.max(200),
  issuer: ProviderUrl.refine((text) => new URL(text).search === '', 'a URL without a query'),
  client_id: Text,
  client_secret: z.string().nullish(),
  client_authentication: z.enum(['basic', 'post']).default('basic'),
  scopes: Text.regex(/(^| )openid( |$)/, 'openid is one of the scopes').default('openid profile email'),
  login_claim: Claim.default('preferred_username'),
  display_name_claim: Claim.default('name'),
  email_claim: Claim.default('email'),
  groups_claim: Claim.default('groups'),
};

const Fields = z.strictObject({ id: z.string().nullish(), ...fields });

export const OidcProviderWire = Fields.transform((wire) => ({
  id: wire.id ?? undefined,
  submitted: submittedOf(wire),
}));

export const ProviderIdWire = z.strictObject({ id: z.string() });

/** Without the secret, which is never shown. The paths are those of the console, to be registered with the provider. */
export function renderOidcProvider(provider: OidcProvider): OidcAnswer {
  return { id: provider.id, ...renderOidcFields(provider) };
}

export function renderOidcFields({ displayName, name, settings }: OidcProvider): Omit<OidcAnswer, 'id'> {
  return {
    name,
    display_name: displayName,
    issuer: settings.issuer,
    client_id: settings.clientId,
    client_authentication: settings.authentication,
    scopes: settings.scopes,
    login_claim: settings.loginClaim,
    display_name_claim: settings.displayNameClaim,
    email_claim: settings.emailClaim,
    groups_claim: settings.groupsClaim,
  };
}

function submittedOf(wire: z.infer<typeof Fields>): SubmittedProvider {
  const settings: OidcProviderSettings = {
    kind: 'oidc',
    issuer: wire.issuer,
    clientId: wire.client_id,
    authentication: wire.client_authentication,
    scopes: wire.scopes,
    loginClaim: wire.login_claim,
    displayNameClaim: wire.display_name_claim,
    emailClaim: wire.email_claim,
    groupsClaim: wire.groups_claim,
  };
  const secret = wire.client_secret ?? '';
  const { display_name: displayName, name } = wire;
  return { name, displayName, settings, secret: secret === '' ? undefined : secret };
}

/** Secrets and tokens must not cross a network in clear. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hash, hostname, password, protocol, username } = new URL(text);
  if (hash !== '' || username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}
