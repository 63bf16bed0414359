/** What the console asks of those who know users. */

import type { UserIdentity } from '../../platform/http/index.ts';

export interface ConsoleUser {
  readonly id: string;
  readonly login: string;
  readonly displayName: string;
  readonly isSuperuser: boolean;
  readonly permissions: readonly {
    readonly objectType: string;
    readonly action: string;
    readonly instance: string;
  }[];
}

/** What somebody shows who logs in. */
export interface ConsoleLogin {
  readonly login: string;
  readonly password: string;
  /** Of users who have a second factor. */
  readonly code: string | undefined;
}

/** Logins by identity providers. Each of these throws ServiceError `not-found` for names of none. */
export interface ProviderSessions {
  /** What the login page offers. */
  offered(): Promise<readonly { readonly name: string; readonly displayName: string }[]>;
  /**
   * @param callbackUrl - where the provider sends the browser afterwards
   * @param next - what the browser wants to see then
   * @returns where the browser goes, whether it comes back by a link or by a form of the provider, and what it has to bring
   * @throws ServiceError `unavailable`
   */
  begin(
    name: string,
    callbackUrl: string,
    next: string,
  ): Promise<{ readonly url: string; readonly pending: string; readonly returnsBy: 'link' | 'form' }>;
  /**
   * @param answer - what the provider sent the browser to, or what its form holds; and what `begin` gave it
   * @returns what the browser shows from now on
   * @throws ServiceError `unauthorized` for an answer that does not count, and for revoked users; `unavailable`
   */
  finish(
    name: string,
    answer: { readonly text: string; readonly pending: string },
    address: string,
  ): Promise<{ readonly session: string; readonly next: string }>;
  /** Ends the sessions that a provider says have ended. @throws ServiceError `bad-request`, `unavailable` */
  logOut(name: string, token: string): Promise<void>;
  /** What a SAML provider is given to know us by, as XML. */
  samlMetadata(): Promise<string>;
}

export interface ConsoleSessions {
  /**
   * @returns the text that the browser shows from now on
   * @throws ServiceError `unauthorized` for a wrong login, password or one-time code, and for revoked users
   */
  login(shown: ConsoleLogin, address: string): Promise<string>;
  /**
   * Sets the password of the user who was sent the token.
   *
   * @throws ServiceError `forbidden` for a token that does not count, `bad-request` naming the rules that a password breaks
   */
  resetPassword(token: string, password: string, address: string): Promise<void>;
  /** @returns `undefined` for a text that is no session, or whose session has ended */
  identify(text: string, address: string): Promise<UserIdentity | undefined>;
  /** When somebody logged in for a session. */
  beginOf(text: string): Promise<Date | undefined>;
  /** When a session ends without further use. */
  endOf(text: string): Promise<Date | undefined>;
  touch(text: string): Promise<void>;
  end(text: string, identity: UserIdentity): Promise<void>;
  describe(userId: string): Promise<ConsoleUser | undefined>;
  /** What people read before they log in. */
  loginText(): Promise<string | undefined>;
  readonly providers: ProviderSessions;
}
