/** The library with the settings of one provider. It is loaded when it is needed first. */

import type { CacheProvider, SAML } from '@node-saml/node-saml';

export interface SamlSettings {
  /** What the provider calls itself. */
  readonly idpEntityId: string;
  /** Where browsers are sent to log in. */
  readonly ssoUrl: string;
  /** Those that the provider signs with, in PEM. */
  readonly certificates: readonly string[];
  readonly wantsMessagesSigned: boolean;
  readonly wantsAssertionsSigned: boolean;
  readonly wantsAssertionsEncrypted: boolean;
  readonly signsMetadata: boolean;
  readonly allowsDuplicateAttributes: boolean;
  readonly signatureAlgorithm: 'sha1' | 'sha256' | 'sha512';
  /** How the person has to prove who they are; as the provider likes when there are none. */
  readonly contexts: readonly string[];
  readonly contextComparison: 'exact' | 'minimum' | 'maximum' | 'better';
}

/** Us, as the provider knows us. */
export interface ServiceProvider {
  readonly entityId: string;
  /** Where browsers bring the provider's answers. */
  readonly acsUrl: string;
  /** In PEM. */
  readonly certificate: string;
  /** In PEM: signs requests, and opens what is encrypted for us. */
  readonly privateKey: string;
}

/** Clocks differ. */
export const toleranceMs = 60_000;

export async function openSaml(
  settings: SamlSettings,
  us: ServiceProvider,
  cacheProvider: CacheProvider,
): Promise<SAML> {
  const library = await import('@node-saml/node-saml');
  const { certificates, contextComparison, contexts, idpEntityId, signatureAlgorithm, ssoUrl } = settings;
  return new library.SAML({
    issuer: us.entityId,
    audience: us.entityId,
    callbackUrl: us.acsUrl,
    entryPoint: ssoUrl,
    idpIssuer: idpEntityId,
    idpCert: [...certificates],
    privateKey: us.privateKey,
    publicCert: us.certificate,
    decryptionPvk: us.privateKey,
    signatureAlgorithm,
    digestAlgorithm: signatureAlgorithm,
    wantAuthnResponseSigned: settings.wantsMessagesSigned,
    wantAssertionsSigned: settings.wantsAssertionsSigned,
    signMetadata: settings.signsMetadata,
    identifierFormat: null,
    disableRequestedAuthnContext: contexts.length === 0,
    authnContext: [...contexts],
    racComparison: contextComparison,
    acceptedClockSkewMs: toleranceMs,
    validateInResponseTo: library.ValidateInResponseTo.always,
    cacheProvider,
  });
}
