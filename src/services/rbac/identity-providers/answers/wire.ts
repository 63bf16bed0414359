/** Answers about identity providers of `/rbac-api`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../../lib/read-only-answer.ts';

const ProviderWire = z.strictObject({
  id: z.string(),
  kind: z.enum(['oidc', 'saml']),
  /** Part of the addresses that the provider has to know. */
  name: z.string(),
  display_name: z.string(),
});
export const ProvidersWire = z.array(ProviderWire);

/** Without the client's secret, which is never shown. */
export const OidcAnswerWire = z.strictObject({
  id: z.string(),
  name: z.string(),
  display_name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  client_authentication: z.enum(['basic', 'post']),
  scopes: z.string(),
  login_claim: z.string(),
  display_name_claim: z.string(),
  email_claim: z.string(),
  groups_claim: z.string(),
});
export const OidcListWire = z.array(OidcAnswerWire);

/** How long the provider took, in milliseconds. */
export const ProviderTestWire = z.strictObject({ elapsed: z.int() });

export const SamlAnswerWire = z.strictObject({
  display_name: z.string(),
  idp_entity_id: z.string(),
  idp_sso_url: z.string(),
  idp_slo_url: z.string().exactOptional(),
  idp_slo_response_url: z.string().exactOptional(),
  /** Each as base64 of DER. */
  idp_certificate: z.array(z.string()),
  user_lookup_attr: z.string(),
  user_display_name_attr: z.string().exactOptional(),
  user_email_attr: z.string().exactOptional(),
  group_lookup_attr: z.string().exactOptional(),
  allow_duplicated_attribute_name: z.boolean(),
  want_messages_signed: z.boolean(),
  want_assertions_signed: z.boolean(),
  want_assertions_encrypted: z.boolean(),
  want_name_id_encrypted: z.literal(false),
  want_xml_validation: z.boolean(),
  sign_metadata: z.boolean(),
  signature_algorithm: z.enum(['rsa-sha256', 'rsa-sha512', 'rsa-sha1']),
  requested_auth_context: z.union([z.string(), z.array(z.string())]).exactOptional(),
  requested_authn_context_comparison: z.enum(['exact', 'minimum', 'maximum', 'better']),
});

/** What the provider has to be told: entity ID, where it sends assertions, our certificate. */
export const SamlServiceProviderWire = z.strictObject({
  meta: z.string(),
  acs: z.string(),
  cert: z.string(),
});

/** What was deleted leaves nothing. */
export const SamlDeletedWire = z.strictObject({});

export type ProviderAnswer = Answer<z.infer<typeof ProviderWire>>;
export type OidcAnswer = Answer<z.infer<typeof OidcAnswerWire>>;
export type ProviderTest = Answer<z.infer<typeof ProviderTestWire>>;
export type SamlAnswer = Answer<z.infer<typeof SamlAnswerWire>>;
export type SamlServiceProvider = Answer<z.infer<typeof SamlServiceProviderWire>>;
