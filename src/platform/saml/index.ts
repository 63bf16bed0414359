/** A service provider of SAML 2: requests by redirect, answers by POST, metadata. */

export { SamlClient, type SamlIdentity, type ServiceProvider } from './saml-client.ts';
export { SamlError } from './saml-error.ts';
