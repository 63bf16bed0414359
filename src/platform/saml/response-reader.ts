/** Reads and verifies the answer of a provider. Anyone may send one, and its size is no measure of the work: see `saml-thread.ts`. */

import { checkMessage } from './message-check.ts';
import { openSaml, type SamlSettings, type ServiceProvider, toleranceMs } from './open-saml.ts';
import { SamlError } from './saml-error.ts';
import { type SamlIdentity, verifiedAssertion } from './verified-assertion.ts';

/** Can be cloned. */
export interface SamlQuestion {
  readonly settings: SamlSettings;
  readonly us: ServiceProvider;
  /** As the browser brought it, in base64. */
  readonly response: string;
  /** Of the request that it has to answer. */
  readonly requestId: string;
}

/** @throws SamlError saying what is wrong with it */
export async function readResponse({
  requestId,
  response,
  settings,
  us,
}: SamlQuestion): Promise<SamlIdentity> {
  checkMessage(Buffer.from(response, 'base64').toString('utf8'), {
    allowsSha1: settings.signatureAlgorithm === 'sha1',
    wantsEncryption: settings.wantsAssertionsEncrypted,
  });
  const issuedAt = new Date().toISOString();
  const saml = await openSaml(settings, us, {
    saveAsync: () => Promise.resolve(null),
    getAsync: (key) => Promise.resolve(key === requestId ? issuedAt : null),
    removeAsync: () => Promise.resolve(null),
  });
  let assertion: unknown;
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response });
    // The part of the message that the signature covers, and nothing else.
    assertion = profile?.getAssertion?.();
  } catch (error) {
    throw new SamlError(error instanceof Error ? error.message : String(error), error);
  }
  return verifiedAssertion(assertion, {
    issuer: settings.idpEntityId,
    recipient: us.acsUrl,
    audience: us.entityId,
    requestId,
    now: new Date(),
    toleranceMs,
    allowsDuplicateAttributes: settings.allowsDuplicateAttributes,
  });
}
