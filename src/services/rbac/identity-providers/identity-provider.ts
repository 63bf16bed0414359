/** An external service that authenticates people, so that they need no password here. */

export interface IdentityProvider {
  readonly id: string;
  readonly createdAt: Date;
  /** As URLs have it: lower-case letters, digits and hyphens. */
  readonly name: string;
  /** As people read it on the login page. */
  readonly displayName: string;
  readonly settings: OidcProviderSettings | SamlProviderSettings;
  /** The secret of our client there, encrypted; SAML has none. */
  readonly sealedSecret: string | undefined;
}

export type OidcProvider = IdentityProvider & { readonly settings: OidcProviderSettings };
export type SamlProvider = IdentityProvider & { readonly settings: SamlProviderSettings };

/** There is one such provider at most, as in Puppet Enterprise, and this is its name in URLs. */
export const samlName = 'saml';

export interface OidcProviderSettings {
  readonly kind: 'oidc';
  readonly issuer: string;
  readonly clientId: string;
  /** How the client shows its secret: in a header or in the form. */
  readonly authentication: 'basic' | 'post';
  readonly scopes: string;
  readonly loginClaim: string;
  readonly displayNameClaim: string;
  readonly emailClaim: string;
  readonly groupsClaim: string;
}

export interface SamlProviderSettings {
  readonly kind: 'saml';
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly sloUrl: string | undefined;
  readonly sloResponseUrl: string | undefined;
  /** Each as base64 of DER. */
  readonly certificates: readonly string[];
  readonly wantsMessagesSigned: boolean;
  readonly wantsAssertionsSigned: boolean;
  readonly wantsAssertionsEncrypted: boolean;
  readonly wantsXmlValidation: boolean;
  readonly signsMetadata: boolean;
  readonly allowsDuplicateAttributes: boolean;
  readonly signatureAlgorithm: 'sha1' | 'sha256' | 'sha512';
  readonly contexts: readonly string[];
  readonly contextComparison: 'exact' | 'minimum' | 'maximum' | 'better';
  /** The attribute that identifies a person; `NameID` is that of the assertion. */
  readonly loginAttribute: string;
  readonly displayNameAttribute: string | undefined;
  readonly emailAttribute: string | undefined;
  readonly groupsAttribute: string | undefined;
}

/** A submitted form: settings, and optionally a new secret. */
export interface SubmittedProvider {
  readonly name: string;
  readonly displayName: string;
  readonly settings: IdentityProvider['settings'];
  /** The one that is stored when absent. */
  readonly secret: string | undefined;
}

/** A person as a provider vouches for them. */
export interface VouchedPerson {
  /** Of issuer and subject, which no other person ever has. */
  readonly key: string;
  readonly login: string;
  readonly displayName: string;
  readonly email: string;
  /** As the provider names them. */
  readonly groups: readonly string[];
  /** The session at the provider. */
  readonly sessionId: string | undefined;
}

export function isOidc(provider: IdentityProvider): provider is OidcProvider {
  return provider.settings.kind === 'oidc';
}

export function isSaml(provider: IdentityProvider): provider is SamlProvider {
  return provider.settings.kind === 'saml';
}

/** Neither an issuer nor a session of a provider holds a blank before the first one here. */
export function subjectKey(issuer: string, subject: string): string {
  return `${issuer} ${subject}`;
}

/** How a session there is named beside those of other providers. */
export function providerSession({ id }: IdentityProvider, sessionId: string): string {
  return `${id} ${sessionId}`;
}
