/** One SAML identity provider, as a service provider meets it. */

import { openSaml, type SamlSettings, type ServiceProvider } from './open-saml.ts';
import { SamlError } from './saml-error.ts';
import type { SamlThread } from './saml-thread.ts';
import type { SamlIdentity } from './verified-assertion.ts';

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
    const saml = await openSaml(this.settings, this.us, {
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
  finish(response: string, requestId: string, thread: SamlThread): Promise<SamlIdentity> {
    return thread.read({ settings: this.settings, us: this.us, response, requestId });
  }

  /** What a provider is given to know us by, as XML. */
  async metadata(): Promise<string> {
    const saml = await openSaml(this.settings, this.us, {
      saveAsync: () => Promise.resolve(null),
      getAsync: () => Promise.resolve(null),
      removeAsync: () => Promise.resolve(null),
    });
    return saml.generateServiceProviderMetadata(this.us.certificate, this.us.certificate);
  }
}
