/** Logins of local users: by the password, and by the second factor where a user has one. */

import type { Logger } from '../../platform/log/index.ts';
import { by, userAuthor, userEvent } from './changes.ts';
import type { Passwords } from './password.ts';
import { refusedLogin, revokedUser, secondFactorRequired } from './refusals.ts';
import type { SecondFactors } from './second-factor/second-factors.ts';
import type { RbacStore, Secrets } from './store.ts';
import type { User } from './user.ts';

/** What somebody shows who logs in. */
export interface Credentials {
  readonly login: string;
  readonly password: string;
  /** Of the second factor; it may also stand behind the password. */
  readonly code?: string | undefined;
}

export interface LocalLoginsOptions {
  readonly store: RbacStore;
  readonly passwords: Passwords;
  readonly secondFactors: SecondFactors;
  readonly log: Logger;
  readonly now: () => Date;
  /** After so many wrong passwords or codes a user is revoked. */
  readonly mostFailedLogins: number;
}

type Outcome = 'right' | 'wrong' | 'needs-code';

export class LocalLogins {
  private readonly options: LocalLoginsOptions;

  constructor(options: LocalLoginsOptions) {
    this.options = options;
  }

  /**
   * @param before - who has the login, if anybody
   * @throws ServiceError `unauthorized` for a wrong password or code, for a code that is missing, and for revoked users
   */
  async logIn(
    before: (User & Secrets) | undefined,
    credentials: Credentials,
    address: string,
  ): Promise<User> {
    const { log, mostFailedLogins, now, passwords, secondFactors, store } = this.options;
    const hasFactor = before !== undefined && (await secondFactors.find(before.id)) !== undefined;
    const shown = hasFactor ? withCode(credentials) : { password: credentials.password };
    return await passwords.attempt(shown.password, before?.password, async (isRight) => {
      // Others may have failed, or been let in, while this one waited for its turn.
      const found = before && (await store.findUser(before.id));
      const outcome =
        found === undefined || !isRight
          ? await this.judgeWhole(credentials, shown, before)
          : await this.judgeCode(found, hasFactor, shown.code);
      if (found === undefined || outcome === 'wrong') {
        const isRevoked = found !== undefined && (await store.noteFailedLogin(found.id, mostFailedLogins));
        log.warn({ login: credentials.login, isRevoked }, 'refused login');
        throw refusedLogin();
      }
      if (found.isRevoked) throw revokedUser(found);
      if (outcome === 'needs-code') throw secondFactorRequired();
      const message = `The user ${found.login} logged in`;
      const loggedIn = userEvent(found, { action: 'login', what: 'user', message });
      await store.noteLogin(found.id, now(), by({ author: userAuthor(found, address) }, now())(loggedIn));
      return found;
    });
  }

  private async judgeCode({ id }: User, hasFactor: boolean, code: string | undefined): Promise<Outcome> {
    if (!hasFactor) return 'right';
    if (code === undefined) return 'needs-code';
    const { secondFactors } = this.options;
    const factor = await secondFactors.find(id);
    return factor === undefined || (await secondFactors.take(factor, code)) ? 'right' : 'wrong';
  }

  /** What looks like a code at the end may be a part of the password. */
  private async judgeWhole(
    { password }: Credentials,
    shown: Shown,
    before: (User & Secrets) | undefined,
  ): Promise<Outcome> {
    if (shown.password === password) return 'wrong';
    return (await this.options.passwords.isRight(password, before?.password)) ? 'needs-code' : 'wrong';
  }
}

interface Shown {
  readonly password: string;
  readonly code?: string;
}

/** For programs that ask for a password alone, a code may stand behind it. */
function withCode({ code, password }: Credentials): Shown {
  if (code !== undefined) return { password, code };
  const [, start, end] = /^(.+?)(\d{6}|[A-Z2-7]{5}-[A-Z2-7]{5})$/is.exec(password) ?? [];
  return start === undefined || end === undefined ? { password } : { password: start, code: end };
}
