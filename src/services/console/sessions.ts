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

export interface ConsoleSessions {
  /**
   * @returns the text that the browser shows from now on
   * @throws ServiceError `unauthorized` for a wrong login or password, and for revoked users
   */
  login(login: string, password: string, address: string): Promise<string>;
  /** @returns `undefined` for a text that is no session, or whose session has ended */
  identify(text: string, address: string): Promise<UserIdentity | undefined>;
  /** When a session ends without further use. */
  endOf(text: string): Promise<Date | undefined>;
  touch(text: string): Promise<void>;
  end(text: string, identity: UserIdentity): Promise<void>;
  describe(userId: string): Promise<ConsoleUser | undefined>;
  /** What people read before they log in. */
  loginText(): Promise<string | undefined>;
}
