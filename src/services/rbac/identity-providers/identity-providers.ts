/** The identity providers that people log in by: connected, changed and tested by users who may. */

import type { SerialQueue } from '../../../lib/serial-queue.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { OidcError, type Trust } from '../../../platform/oidc/index.ts';
import { SamlClient, type SamlThread, type ServiceProvider } from '../../../platform/saml/index.ts';
import { by } from '../changes.ts';
import { demandEdit, type TestRun } from '../directory/directories.ts';
import type { SecretSeal } from '../directory/directory.ts';
import { isSameName } from '../directory/names.ts';
import { rbacError } from '../rbac-error.ts';
import type { Actor } from '../user.ts';
import {
  type IdentityProvider,
  isOidc,
  isSaml,
  type OidcProvider,
  type SamlProvider,
  type SubmittedProvider,
} from './identity-provider.ts';
import { providerChange } from './provider-changes.ts';
import { OidcProviderClient, SamlProviderClient } from './provider-client.ts';
import type { ProviderStore } from './provider-store.ts';
import type { SamlKeys } from './saml-keys.ts';

export interface IdentityProvidersOptions {
  readonly store: ProviderStore;
  /** Shared with all that changes users and groups. */
  readonly queue: SerialQueue;
  readonly seal: SecretSeal;
  /** The authorities that certificates of providers are checked with. */
  readonly trust: Trust;
  readonly samlKeys: SamlKeys;
  readonly samlThread: SamlThread;
  /** Where browsers find the console: `https://console.example.com`. */
  readonly consoleUrl: string;
  readonly log: Logger;
  readonly now: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
}

export class IdentityProviders {
  private readonly options: IdentityProvidersOptions;
  /** Requests with tokens ask for them, and nothing else than this changes them. */
  private known: Promise<readonly IdentityProvider[]> | undefined;
  /** Anyone may ask for them, and they are signed. */
  private metadata: Promise<string> | undefined;
  /** With what they remember of a provider as it is configured: after a change it is another object. */
  private readonly clients = new WeakMap<OidcProvider, OidcProviderClient>();

  constructor(options: IdentityProvidersOptions) {
    this.options = options;
  }

  all(): Promise<readonly IdentityProvider[]> {
    if (this.known === undefined) {
      const reading = this.options.store.all();
      this.known = reading;
      reading.catch(() => {
        if (this.known === reading) this.known = undefined;
      });
    }
    return this.known;
  }

  async find(id: string): Promise<IdentityProvider | undefined> {
    return (await this.all()).find((each) => each.id === id);
  }

  async findByName(name: string): Promise<IdentityProvider | undefined> {
    return (await this.all()).find((each) => each.name === name);
  }

  async oidc(): Promise<readonly OidcProvider[]> {
    return (await this.all()).filter(isOidc);
  }

  async saml(): Promise<SamlProvider | undefined> {
    return (await this.all()).find(isSaml);
  }

  /** @throws ServiceError `not-found` */
  async getOidc(id: string): Promise<OidcProvider> {
    const provider = (await this.oidc()).find((each) => each.id === id);
    if (provider === undefined)
      throw rbacError('not-found', 'not-found', `There is no identity provider with the ID ${id}`);
    return provider;
  }

  create(submitted: SubmittedProvider, actor: Actor): Promise<IdentityProvider> {
    return this.options.queue.run(async () => {
      demandEdit(actor);
      return await this.save(undefined, submitted, actor);
    });
  }

  /** @throws ServiceError `not-found` */
  updateOidc(id: string, submitted: SubmittedProvider, actor: Actor): Promise<void> {
    return this.options.queue.run(async () => {
      demandEdit(actor);
      await this.save(await this.getOidc(id), submitted, actor);
    });
  }

  /** @returns whether the provider is new */
  replaceSaml(submitted: SubmittedProvider, actor: Actor): Promise<boolean> {
    return this.options.queue.run(async () => {
      demandEdit(actor);
      const before = await this.saml();
      await this.save(before, submitted, actor);
      return before === undefined;
    });
  }

  /** With its users and its user groups. @throws ServiceError `not-found` */
  remove(id: string, actor: Actor): Promise<void> {
    return this.options.queue.run(async () => {
      demandEdit(actor);
      const provider = await this.find(id);
      if (provider === undefined)
        throw rbacError('not-found', 'not-found', `There is no identity provider with the ID ${id}`);
      const { log, now, store } = this.options;
      await store.remove(id, providerChange(provider, undefined).map(by(actor, now())));
      this.forget();
      log.info({ provider: provider.displayName, by: actor.login }, 'deleted identity provider');
    });
  }

  /**
   * @param stored - whose secret is used when none is submitted
   * @throws ServiceError `bad-request` when the stored secret may not be used
   */
  async test(
    submitted: SubmittedProvider,
    stored: IdentityProvider | undefined,
    actor: Actor,
  ): Promise<TestRun> {
    demandEdit(actor);
    const candidate = this.candidate(stored, submitted);
    if (!isOidc(candidate)) throw new Error('only OpenID providers are tested');
    const client = this.openOidc(candidate);
    const start = performance.now();
    const elapsed = () => Math.round(performance.now() - start);
    try {
      await client.test();
      return { elapsedMs: elapsed(), error: undefined };
    } catch (error) {
      if (error instanceof OidcError) return { elapsedMs: elapsed(), error: error.message };
      throw error;
    }
  }

  oidcClient(provider: OidcProvider): OidcProviderClient {
    const known = this.clients.get(provider);
    if (known !== undefined) return known;
    const client = this.openOidc(provider);
    this.clients.set(provider, client);
    return client;
  }

  async client(provider: IdentityProvider): Promise<OidcProviderClient | SamlProviderClient> {
    if (isOidc(provider)) return this.oidcClient(provider);
    if (!isSaml(provider)) throw new Error('a provider of another kind');
    return new SamlProviderClient(provider, await this.serviceProvider(), this.options.samlThread);
  }

  /** Our metadata for a SAML provider. */
  async serviceProvider(): Promise<ServiceProvider> {
    const { consoleUrl, samlKeys } = this.options;
    const entityId = `${consoleUrl}/saml/v1/meta`;
    return { ...(await samlKeys.get()), entityId, acsUrl: `${consoleUrl}/saml/v1/acs` };
  }

  /** The same as XML. It can be had before the provider is known. */
  samlMetadata(): Promise<string> {
    if (this.metadata === undefined) {
      const making = this.makeMetadata();
      this.metadata = making;
      making.catch(() => {
        if (this.metadata === making) this.metadata = undefined;
      });
    }
    return this.metadata;
  }

  private async makeMetadata(): Promise<string> {
    const settings = (await this.saml())?.settings;
    const client = new SamlClient(
      {
        idpEntityId: 'none',
        ssoUrl: 'https://none.invalid',
        wantsMessagesSigned: true,
        wantsAssertionsSigned: true,
        wantsAssertionsEncrypted: false,
        signsMetadata: true,
        allowsDuplicateAttributes: true,
        signatureAlgorithm: 'sha256',
        contexts: [],
        contextComparison: 'exact',
        ...settings,
        // It is never used, but the library requires one.
        certificates: ['none'],
      },
      await this.serviceProvider(),
    );
    return await client.metadata();
  }

  private async save(
    before: IdentityProvider | undefined,
    submitted: SubmittedProvider,
    actor: Actor,
  ): Promise<IdentityProvider> {
    const { log, now, store } = this.options;
    const after = this.candidate(before, submitted);
    const { displayName, id, name } = after;
    const others = (await this.all()).filter((each) => each.id !== id);
    if (others.some((each) => each.name === name || isSameName(each.displayName, displayName)))
      throw rbacError(
        'conflict',
        'conflict',
        `There is an identity provider with the name ${name} or ${displayName} already`,
      );
    await store.save(after, providerChange(before, after).map(by(actor, now())));
    this.forget();
    log.info({ provider: displayName, by: actor.login }, 'changed identity provider');
    return after;
  }

  private forget(): void {
    this.known = undefined;
    this.metadata = undefined;
  }

  /** The submitted settings, with the stored secret unless a new one is given. */
  private candidate(before: IdentityProvider | undefined, submitted: SubmittedProvider): IdentityProvider {
    const { newId, now, seal } = this.options;
    const { secret, ...rest } = submitted;
    if (secret === undefined) refuseOtherPlace(before, submitted);
    // The same secret keeps its encrypted form: nothing has changed then.
    const isStored = secret === undefined || (before !== undefined && this.secretOf(before) === secret);
    return {
      ...rest,
      id: before?.id ?? newId(),
      createdAt: before?.createdAt ?? now(),
      sealedSecret: isStored ? before?.sealedSecret : seal.close(secret),
    };
  }

  private openOidc(provider: OidcProvider): OidcProviderClient {
    const { now, trust } = this.options;
    return new OidcProviderClient(provider, this.secretOf(provider), trust, () => now().getTime());
  }

  /** @returns `undefined` where none is stored, and where the key is not the one that encrypted it */
  private secretOf({ displayName, sealedSecret }: IdentityProvider): string | undefined {
    const { log, seal } = this.options;
    if (sealedSecret === undefined) return undefined;
    try {
      return seal.open(sealedSecret);
    } catch (err) {
      log.error({ err, provider: displayName }, 'cannot decrypt the secret of the client: set it again');
      return undefined;
    }
  }
}

/** Users who may change a provider must not learn the stored secret by sending it to a server of their own. */
function refuseOtherPlace(before: IdentityProvider | undefined, { settings }: SubmittedProvider): void {
  if (before?.sealedSecret === undefined) return;
  const had = before.settings;
  if (had.kind === 'saml' || settings.kind === 'saml') return;
  if (had.issuer === settings.issuer && had.clientId === settings.clientId) return;
  throw rbacError(
    'bad-request',
    'schema-violation',
    'The secret of the client is needed: the issuer or the client has changed',
    { error: 'client_secret: needed' },
  );
}
