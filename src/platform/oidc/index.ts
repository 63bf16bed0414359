/** A relying party of OpenID Connect: code flow with PKCE, verified ID tokens, back-channel logout. */

export { OidcClient, type OidcIdentity, type OidcLogout } from './oidc-client.ts';
export { OidcError } from './oidc-error.ts';
export type { Trust } from './provider-fetch.ts';
