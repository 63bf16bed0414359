/** The SAML provider as it crosses the network, under Puppet Enterprise's names. */

import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { withoutNul } from '../wire.ts';
import type { SamlAnswer } from './answers/wire.ts';
import {
  type SamlProvider,
  type SamlProviderSettings,
  type SubmittedProvider,
  samlName,
} from './identity-provider.ts';
import { ProviderUrl } from './oidc-wire.ts';

const Text = z.string().trim().min(1).max(2000).regex(withoutNul);
const OptionalText = z
  .string()
  .trim()
  .max(2000)
  .regex(withoutNul)
  .nullish()
  .transform((text) => (text === null || text === '' ? undefined : text));
const OptionalUrl = z
  .union([z.literal(''), ProviderUrl])
  .nullish()
  .transform((text) => (text === null || text === '' ? undefined : text));
const Texts = z
  .union([Text, z.array(Text)])
  .nullish()
  .transform((texts) => [texts ?? []].flat());

/** PEM, or what stands between its lines. */
const Certificate = z.string().transform((text, context) => {
  const der = Buffer.from(text.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');
  try {
    return new X509Certificate(der).raw.toString('base64');
  } catch {
    context.addIssue('it is no certificate');
    return '';
  }
});

const algorithms = { 'rsa-sha256': 'sha256', 'rsa-sha512': 'sha512', 'rsa-sha1': 'sha1' } as const;

export const SamlProviderWire = z
  .strictObject({
    display_name: Text.max(200),
    idp_entity_id: Text,
    idp_sso_url: ProviderUrl,
    idp_slo_url: OptionalUrl,
    idp_slo_response_url: OptionalUrl,
    idp_certificate: z.union([Certificate.transform((one) => [one]), z.array(Certificate).min(1)]),
    user_lookup_attr: Text,
    user_display_name_attr: OptionalText,
    user_email_attr: OptionalText,
    group_lookup_attr: OptionalText,
    allow_duplicated_attribute_name: z.boolean().default(true),
    want_messages_signed: z.boolean().default(true),
    want_assertions_signed: z.boolean().default(true),
    want_assertions_encrypted: z.boolean().default(false),
    want_name_id_encrypted: z
      .literal(false, 'only whole assertions are decrypted: set want_assertions_encrypted')
      .default(false),
    want_xml_validation: z.boolean().default(true),
    sign_metadata: z.boolean().default(true),
    signature_algorithm: z.enum(['rsa-sha256', 'rsa-sha512', 'rsa-sha1']).default('rsa-sha256'),
    requested_auth_context: Texts,
    requested_authn_context_comparison: z.enum(['exact', 'minimum', 'maximum', 'better']).default('exact'),
  })
  .transform((wire): SubmittedProvider => {
    const settings: SamlProviderSettings = {
      kind: 'saml',
      entityId: wire.idp_entity_id,
      ssoUrl: wire.idp_sso_url,
      sloUrl: wire.idp_slo_url,
      sloResponseUrl: wire.idp_slo_response_url,
      certificates: wire.idp_certificate,
      wantsMessagesSigned: wire.want_messages_signed,
      wantsAssertionsSigned: wire.want_assertions_signed,
      wantsAssertionsEncrypted: wire.want_assertions_encrypted,
      wantsXmlValidation: wire.want_xml_validation,
      signsMetadata: wire.sign_metadata,
      allowsDuplicateAttributes: wire.allow_duplicated_attribute_name,
      signatureAlgorithm: algorithms[wire.signature_algorithm],
      contexts: wire.requested_auth_context,
      contextComparison: wire.requested_authn_context_comparison,
      loginAttribute: wire.user_lookup_attr,
      displayNameAttribute: wire.user_display_name_attr,
      emailAttribute: wire.user_email_attr,
      groupsAttribute: wire.group_lookup_attr,
    };
    return { name: samlName, displayName: wire.display_name, settings, secret: undefined };
  });

export function renderSamlProvider({ displayName, settings }: SamlProvider): SamlAnswer {
  const { contexts } = settings;
  return {
    display_name: displayName,
    idp_entity_id: settings.entityId,
    idp_sso_url: settings.ssoUrl,
    ...(settings.sloUrl === undefined ? {} : { idp_slo_url: settings.sloUrl }),
    ...(settings.sloResponseUrl === undefined ? {} : { idp_slo_response_url: settings.sloResponseUrl }),
    idp_certificate: settings.certificates,
    user_lookup_attr: settings.loginAttribute,
    ...(settings.displayNameAttribute === undefined
      ? {}
      : { user_display_name_attr: settings.displayNameAttribute }),
    ...(settings.emailAttribute === undefined ? {} : { user_email_attr: settings.emailAttribute }),
    ...(settings.groupsAttribute === undefined ? {} : { group_lookup_attr: settings.groupsAttribute }),
    allow_duplicated_attribute_name: settings.allowsDuplicateAttributes,
    want_messages_signed: settings.wantsMessagesSigned,
    want_assertions_signed: settings.wantsAssertionsSigned,
    want_assertions_encrypted: settings.wantsAssertionsEncrypted,
    want_name_id_encrypted: false,
    want_xml_validation: settings.wantsXmlValidation,
    sign_metadata: settings.signsMetadata,
    signature_algorithm: `rsa-${settings.signatureAlgorithm}`,
    ...(contexts.length === 0
      ? {}
      : { requested_auth_context: contexts.length === 1 ? contexts[0] : contexts }),
    requested_authn_context_comparison: settings.contextComparison,
  };
}
