/** Logins by identity providers: redirects a browser there, and verifies the answer with which it returns. */

import { z } from 'zod';
import { Semaphore } from '../../../lib/semaphore.ts';
import type { SerialQueue } from '../../../lib/serial-queue.ts';
import { serverItself } from '../../../platform/changes/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { OidcError } from '../../../platform/oidc/index.ts';
import { SamlError } from '../../../platform/saml/index.ts';
import { by, userEvent } from '../changes.ts';
import type { SecretSeal } from '../directory/directory.ts';
import { LoginLimit } from '../login-limit.ts';
import { rbacError } from '../rbac-error.ts';
import type { Sessions } from '../sessions.ts';
import type { RbacStore } from '../store.ts';
import { tokenDigest } from '../token-text.ts';
import { type IdentityProvider, isOidc, providerSession, subjectKey } from './identity-provider.ts';
import type { IdentityProviders } from './identity-providers.ts';
import type { ProviderStore } from './provider-store.ts';
import type { ProviderUsers } from './provider-users.ts';

export interface ProviderLoginsOptions {
  readonly store: RbacStore;
  readonly answers: Pick<ProviderStore, 'takeOnce'>;
  readonly providers: IdentityProviders;
  readonly users: ProviderUsers;
  readonly sessions: Sessions;
  readonly seal: SecretSeal;
  /** Shared with all that changes users and groups. */
  readonly queue: SerialQueue;
  readonly log: Logger;
  readonly now: () => Date;
}

/** So long may a login at a provider take. */
const pendingMs = 10 * 60 * 1000;
/** No logout token is taken that is older, nor twice. */
const logoutMs = 15 * 60 * 1000;
/** Anyone may begin a login. Providers answer slowly when they are in trouble. */
const mostAtATime = 8;

const PendingWire = z.object({
  provider: z.string(),
  proof: z.object({ id: z.string(), secrets: z.record(z.string(), z.string()) }),
  next: z.string(),
  untilMs: z.number(),
});

export class ProviderLogins {
  private readonly options: ProviderLoginsOptions;
  private readonly turns = new Semaphore(mostAtATime);
  private readonly limit = new LoginLimit('Too many logins are under way');

  constructor(options: ProviderLoginsOptions) {
    this.options = options;
  }

  /** The providers on the login page. */
  async offered(): Promise<readonly { readonly name: string; readonly displayName: string }[]> {
    const providers = await this.options.providers.all();
    return providers.map(({ displayName, name }) => ({ name, displayName }));
  }

  /**
   * @param callbackUrl - where the provider sends the browser afterwards
   * @param next - the page to show after the login
   * @returns where the browser goes, how it comes back, and what it brings: it can neither read nor change that
   * @throws ServiceError `not-found`, `unavailable` when the provider does not answer
   */
  begin(
    name: string,
    callbackUrl: string,
    next: string,
  ): Promise<{ readonly url: string; readonly pending: string; readonly returnsBy: 'link' | 'form' }> {
    return this.inTurn(async () => {
      const { now, providers, seal } = this.options;
      const provider = await this.provider(name);
      const client = await providers.client(provider);
      const { proof, url } = await this.asking(provider, () => client.begin(callbackUrl));
      const untilMs = now().getTime() + pendingMs;
      const pending = seal.close(JSON.stringify({ provider: provider.id, proof, next, untilMs }));
      return { url, pending, returnsBy: client.returnsBy };
    });
  }

  /**
   * @param answer - what the provider sent the browser to, with the query, or what its form holds; and what `begin` gave it
   * @returns the session that begins
   * @throws ServiceError `unauthorized`, `not-found`, or `unavailable` when the provider does not answer
   */
  finish(
    name: string,
    answer: { readonly text: string; readonly pending: string },
    address: string,
  ): Promise<{ readonly session: string; readonly next: string }> {
    return this.inTurn(async () => {
      const { answers, now, providers, queue, sessions, users } = this.options;
      const provider = await this.provider(name);
      const { next, proof, untilMs } = this.pendingOf(answer.pending, provider);
      if (!(await answers.takeOnce(`${provider.id} ${proof.id}`, new Date(untilMs), now()))) throw late();
      const client = await providers.client(provider);
      const person = await this.asking(provider, () => client.finish(answer.text, proof));
      const user = await queue.run(() => users.welcome(person, provider, address));
      const { sessionId } = person;
      const remote = sessionId === undefined ? undefined : providerSession(provider, sessionId);
      return { session: await sessions.open(user, address, remote), next };
    });
  }

  /**
   * Ends the sessions that a provider says have ended there.
   *
   * @throws ServiceError `not-found`, `bad-request` for a token that does not count, `unavailable`
   */
  logOut(name: string, token: string): Promise<void> {
    return this.inTurn(async () => {
      const { answers, log, now, providers, store } = this.options;
      const provider = await this.provider(name);
      if (!isOidc(provider)) throw unknownProvider(name);
      const client = providers.oidcClient(provider);
      const { id, issuer, sessionId, subject } = await this.asking(
        provider,
        () => client.readLogout(token),
        'bad-request',
      );
      const until = new Date(now().getTime() + logoutMs);
      if (!(await answers.takeOnce(`${provider.id} ${tokenDigest(id)}`, until, now())))
        throw rbacError('bad-request', 'logout-refused', 'The logout token has been used already');
      const user =
        subject === undefined
          ? undefined
          : await store.findUserByKey(provider.id, subjectKey(issuer, subject));
      const message = `${provider.displayName} ended the sessions of the user ${user?.login ?? subject}`;
      const changes = user && [userEvent(user, { action: 'revoke', what: 'tokens', message })];
      const ended = {
        userId: user?.id,
        providerSession: sessionId === undefined ? undefined : providerSession(provider, sessionId),
      };
      await store.endSessions(ended, (changes ?? []).map(by({ author: serverItself }, now())));
      log.info({ login: user?.login, provider: provider.displayName }, 'provider ended sessions');
    });
  }

  private async provider(name: string): Promise<IdentityProvider> {
    const provider = await this.options.providers.findByName(name);
    if (provider === undefined) throw unknownProvider(name);
    return provider;
  }

  /** @throws ServiceError `unauthorized` for a login that did not begin here, for this provider, a short while ago */
  private pendingOf(text: string, provider: IdentityProvider): z.infer<typeof PendingWire> {
    const { now, seal } = this.options;
    let pending: z.infer<typeof PendingWire>;
    try {
      pending = PendingWire.parse(JSON.parse(seal.open(text)));
    } catch {
      // The error may quote decrypted content.
      throw late();
    }
    if (pending.provider !== provider.id || pending.untilMs <= now().getTime()) throw late();
    return pending;
  }

  /** The request is not authenticated, so the reason is only logged. */
  private async asking<T>(
    { displayName }: IdentityProvider,
    ask: () => Promise<T>,
    refusal: 'unauthorized' | 'bad-request' = 'unauthorized',
  ): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof OidcError || error instanceof SamlError)) throw error;
      const { message: reason } = error;
      const failure = error instanceof OidcError ? error.failure : 'refused';
      this.options.log.error({ provider: displayName, failure, reason }, 'identity provider refused or away');
      if (failure === 'unreachable')
        throw rbacError(
          'unavailable',
          'provider-unavailable',
          `${displayName} cannot be asked now; the log of the primary says why. Local users can log in.`,
        );
      throw rbacError(
        refusal,
        'provider-refused',
        `The login by ${displayName} did not succeed; the log of the primary says why.`,
      );
    }
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.limit.run(() => this.turns.run(work));
  }
}

function unknownProvider(name: string) {
  return rbacError('not-found', 'not-found', `There is no identity provider ${name}`);
}

function late() {
  return rbacError(
    'unauthorized',
    'login-not-begun',
    'The login has taken too long, or began in another browser: begin again.',
  );
}
