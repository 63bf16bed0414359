/** Identity providers whose users log in here: OpenID Connect and SAML. */

import type {
  OidcAnswer,
  ProviderAnswer,
  ProviderTest,
  SamlAnswer,
  SamlServiceProvider,
} from '../../../src/services/rbac/identity-providers/answers/wire.ts';
import { get, post, put, remove } from './client.ts';

export type { ProviderAnswer as ProviderRow } from '../../../src/services/rbac/identity-providers/answers/wire.ts';

export async function readProviders(signal: AbortSignal): Promise<readonly ProviderAnswer[]> {
  return await get('/rbac-api/v2/identity-providers', {}, signal);
}

/** The form's values; an empty secret keeps the stored one. */
export interface OidcOrder extends Omit<OidcAnswer, 'id'> {
  readonly id?: string;
  readonly client_secret?: string;
}

export async function readOidc(id: string, signal: AbortSignal): Promise<OidcAnswer> {
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
  const answer = await post<ProviderTest>(`${command}/test`, order);
  return answer?.elapsed ?? 0;
}

const saml = '/rbac-api/v1/saml';

/** What the form has fields for; the rest stays as it is. */
export interface SamlSettings
  extends Pick<
    SamlAnswer,
    | 'display_name'
    | 'idp_entity_id'
    | 'idp_sso_url'
    | 'user_lookup_attr'
    | 'user_display_name_attr'
    | 'user_email_attr'
    | 'group_lookup_attr'
  > {
  /** In PEM, or base64 alone. */
  readonly idp_certificate: string | readonly string[];
}

/** @throws ApiError 404 when there is none */
export async function readSaml(signal: AbortSignal): Promise<SamlAnswer> {
  return await get(saml, {}, signal);
}

export async function saveSaml(settings: SamlSettings): Promise<void> {
  await put(saml, settings);
}

export async function deleteSaml(): Promise<void> {
  await remove(saml);
}

export async function readSamlServiceProvider(signal: AbortSignal): Promise<SamlServiceProvider> {
  return await get(`${saml}/meta`, {}, signal);
}
