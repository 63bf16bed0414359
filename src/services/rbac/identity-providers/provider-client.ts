/** The client of a provider, for each protocol. */

import { OidcClient, type OidcLogout, type Trust } from '../../../platform/oidc/index.ts';
import { SamlClient, type SamlThread, type ServiceProvider } from '../../../platform/saml/index.ts';
import type { OidcProvider, SamlProvider, VouchedPerson } from './identity-provider.ts';
import { personOfAssertion, personOfClaims } from './vouched-person.ts';

/** A login that has begun, as the browser keeps it, unreadable for it. */
export interface Proof {
  /** Its answer counts once. */
  readonly id: string;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface ProviderClient {
  /** Whether the provider sends the browser back by a link, or by a form on a page of its own. */
  readonly returnsBy: 'link' | 'form';
  /** @param callbackUrl - where the provider sends the browser afterwards @throws OidcError */
  begin(callbackUrl: string): Promise<{ readonly url: string; readonly proof: Proof }>;
  /** @param answer - the URL of the link, or what the form holds @throws OidcError or SamlError */
  finish(answer: string, proof: Proof): Promise<VouchedPerson>;
}

export class OidcProviderClient implements ProviderClient {
  readonly returnsBy = 'link';
  private readonly provider: OidcProvider;
  private readonly client: OidcClient;

  constructor(provider: OidcProvider, clientSecret: string | undefined, trust: Trust, nowMs: () => number) {
    this.provider = provider;
    this.client = new OidcClient({ ...provider.settings, clientSecret }, trust, nowMs);
  }

  test(): Promise<void> {
    return this.client.test();
  }

  async begin(callbackUrl: string) {
    const { proof, url } = await this.client.begin(callbackUrl);
    const { nonce, state, verifier } = proof;
    return { url, proof: { id: state, secrets: { nonce, verifier } } };
  }

  async finish(answer: string, { id: state, secrets }: Proof): Promise<VouchedPerson> {
    const { nonce = '', verifier = '' } = secrets;
    const identity = await this.client.finish(answer, { state, nonce, verifier });
    return personOfClaims(identity, this.provider.settings);
  }

  readLogout(token: string): Promise<OidcLogout> {
    return this.client.readLogout(token);
  }
}

export class SamlProviderClient implements ProviderClient {
  readonly returnsBy = 'form';
  private readonly provider: SamlProvider;
  private readonly client: SamlClient;
  private readonly thread: SamlThread;

  constructor(provider: SamlProvider, us: ServiceProvider, thread: SamlThread) {
    const { certificates, entityId: idpEntityId, ...settings } = provider.settings;
    this.provider = provider;
    this.thread = thread;
    this.client = new SamlClient({ ...settings, idpEntityId, certificates }, us);
  }

  /** The provider sends the browser to where it knows us. */
  async begin() {
    const { requestId, url } = await this.client.begin();
    return { url, proof: { id: requestId, secrets: {} } };
  }

  async finish(answer: string, { id }: Proof): Promise<VouchedPerson> {
    const identity = await this.client.finish(answer, id, this.thread);
    return personOfAssertion(identity, this.provider.settings);
  }
}
