/** One SAML identity provider, as a service provider meets it. The library is loaded when a browser is sent there first. */

import type { CacheProvider, SAML } from '@node-saml/node-saml';
import { checkMessage } from './message-check.ts';
import { SamlError } from './saml-error.ts';
import { verifiedAssertion } from './verified-assertion.ts';

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

export interface SamlIdentity {
  readonly issuer: string;
  readonly nameId: string | undefined;
  readonly sessionIndex: string | undefined;
  /** By `Name`, and by `FriendlyName` where no other has it as its name. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

/** Clocks differ. */
const toleranceMs = 60_000;

export class SamlClient {
  private readonly settings: SamlSettings;
  private readonly us: ServiceProvider;

  constructor(settings: SamlSettings, us: ServiceProvider) {
    this.settings = settings;
    this.us = us;
  }

  /** Where a browser is sent to log in. @returns the ID of the request, too, which the answer has to name */
  async begin(): Promise<{ readonly url: string; readonly requestId: string }> {
    const ids: string[] = [];
    const saml = await this.open({
      saveAsync: (key, value) => {
        ids.push(key);
        return Promise.resolve({ value, createdAt: Date.now() });
      },
      getAsync: () => Promise.resolve(null),
      removeAsync: () => Promise.resolve(null),
    });
    const url = await saml.getAuthorizeUrlAsync('', undefined, {});
    const [requestId] = ids;
    if (requestId === undefined) throw new SamlError('The request has no ID');
    return { url, requestId };
  }

  /**
   * @param response - as the browser brought it, in base64
   * @param requestId - of the request that it has to answer
   * @throws SamlError saying what is wrong with it
   */
  async finish(response: string, requestId: string): Promise<SamlIdentity> {
    const { idpEntityId, wantsAssertionsEncrypted } = this.settings;
    checkMessage(Buffer.from(response, 'base64').toString('utf8'), {
      allowsSha1: this.settings.signatureAlgorithm === 'sha1',
      wantsEncryption: wantsAssertionsEncrypted,
    });
    const issuedAt = new Date().toISOString();
    const saml = await this.open({
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
      issuer: idpEntityId,
      recipient: this.us.acsUrl,
      audience: this.us.entityId,
      requestId,
      now: new Date(),
      toleranceMs,
      allowsDuplicateAttributes: this.settings.allowsDuplicateAttributes,
    });
  }

  /** What a provider is given to know us by, as XML. */
  async metadata(): Promise<string> {
    const saml = await this.open({
      saveAsync: () => Promise.resolve(null),
      getAsync: () => Promise.resolve(null),
      removeAsync: () => Promise.resolve(null),
    });
    return saml.generateServiceProviderMetadata(this.us.certificate, this.us.certificate);
  }

  private async open(cacheProvider: CacheProvider): Promise<SAML> {
    const library = await import('@node-saml/node-saml');
    const { certificates, contextComparison, contexts, idpEntityId, signatureAlgorithm, ssoUrl } =
      this.settings;
    return new library.SAML({
      issuer: this.us.entityId,
      audience: this.us.entityId,
      callbackUrl: this.us.acsUrl,
      entryPoint: ssoUrl,
      idpIssuer: idpEntityId,
      idpCert: [...certificates],
      privateKey: this.us.privateKey,
      publicCert: this.us.certificate,
      decryptionPvk: this.us.privateKey,
      signatureAlgorithm,
      digestAlgorithm: signatureAlgorithm,
      wantAuthnResponseSigned: this.settings.wantsMessagesSigned,
      wantAssertionsSigned: this.settings.wantsAssertionsSigned,
      signMetadata: this.settings.signsMetadata,
      identifierFormat: null,
      disableRequestedAuthnContext: contexts.length === 0,
      authnContext: [...contexts],
      racComparison: contextComparison,
      acceptedClockSkewMs: toleranceMs,
      validateInResponseTo: library.ValidateInResponseTo.always,
      cacheProvider,
    });
  }
}
