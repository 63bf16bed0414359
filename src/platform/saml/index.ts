/** A service provider of SAML 2: requests by redirect, answers by POST, metadata. */

export type { ServiceProvider } from './open-saml.ts';
export { SamlClient } from './saml-client.ts';
export { SamlError } from './saml-error.ts';
export { SamlThread } from './saml-thread.ts';
export type { SamlIdentity } from './verified-assertion.ts';
