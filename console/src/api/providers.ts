/** Identity providers whose users log in here: OpenID Connect and SAML. */

import { get, post, put, remove } from './client.ts';

export interface ProviderRow {
  readonly id: string;
  readonly kind: 'oidc' | 'saml';
  /** Part of the addresses that the provider has to know. */
  readonly name: string;
  readonly display_name: string;
}

export async function readProviders(signal: AbortSignal): Promise<readonly ProviderRow[]> {
  return await get('/rbac-api/v2/identity-providers', {}, signal);
}

export interface OidcSettings {
  readonly name: string;
  readonly display_name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_authentication: 'basic' | 'post';
  readonly scopes: string;
  readonly login_claim: string;
  readonly display_name_claim: string;
  readonly email_claim: string;
  readonly groups_claim: string;
}

/** The form's values; an empty secret keeps the stored one. */
export interface OidcOrder extends OidcSettings {
  readonly id?: string;
  readonly client_secret?: string;
}

export async function readOidc(id: string, signal: AbortSignal): Promise<OidcOrder> {
  return await get(`/rbac-api/v1/oidc/${encodeURIComponent(id)}`, {}, signal);
}

const command = '/rbac-api/v1/command/oidc';

export async function saveOidc(order: OidcOrder): Promise<void> {
  await post(`${command}/${order.id === undefined ? 'create' : 'update'}`, order);
}

export async function deleteOidc(id: string): Promise<void> {
  await post(`${command}/delete`, { id });
}

/** @returns how long the provider took, in ms @throws ApiError saying why it can't be used */
export async function testOidc(order: OidcOrder): Promise<number> {
  const answer = await post<{ readonly elapsed: number }>(`${command}/test`, order);
  return answer?.elapsed ?? 0;
}

const saml = '/rbac-api/v1/saml';

/** The fields of the form; others stay as they are. */
export interface SamlSettings {
  readonly display_name: string;
  readonly idp_entity_id: string;
  readonly idp_sso_url: string;
  /** In PEM, or base64 alone. */
  readonly idp_certificate: string | readonly string[];
  readonly user_lookup_attr: string;
  readonly user_display_name_attr?: string;
  readonly user_email_attr?: string;
  readonly group_lookup_attr?: string;
}

/** @throws ApiError 404 when there is none */
export async function readSaml(signal: AbortSignal): Promise<SamlSettings> {
  return await get(saml, {}, signal);
}

export async function saveSaml(settings: SamlSettings): Promise<void> {
  await put(saml, settings);
}

export async function deleteSaml(): Promise<void> {
  await remove(saml);
}

/** What the provider has to be told of this console. */
export interface SamlServiceProvider {
  readonly meta: string;
  readonly acs: string;
  readonly cert: string;
}

export async function readSamlServiceProvider(signal: AbortSignal): Promise<SamlServiceProvider> {
  return await get(`${saml}/meta`, {}, signal);
}
