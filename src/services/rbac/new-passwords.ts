/** Passwords that users set: looked at by the rules, and kept. */

import type { Change } from '../../platform/changes/index.ts';
import type { Passwords } from './password.ts';
import {
  type BrokenRule,
  brokenRules,
  demandRules,
  type PasswordRules,
  reusedPassword,
} from './password-policy.ts';
import type { RbacStore } from './store.ts';
import type { User } from './user.ts';

export interface NewPasswordsOptions {
  readonly store: RbacStore;
  readonly passwords: Passwords;
  readonly rules: PasswordRules;
}

export class NewPasswords {
  private readonly options: NewPasswordsOptions;

  constructor(options: NewPasswordsOptions) {
    this.options = options;
  }

  /** @param user - whose earlier passwords must not come again; absent where that is not known */
  async broken(password: string, user: User | undefined): Promise<readonly BrokenRule[]> {
    const { rules } = this.options;
    const failures = brokenRules(rules, password, user?.login);
    if (failures.length > 0 || user === undefined || rules.previous === 0) return failures;
    return (await this.isReused(password, user)) ? [reusedPassword(rules.previous)] : [];
  }

  /** What is kept of the password of a user who is made. @throws ServiceError `bad-request` */
  async first(login: string, password: string): Promise<string> {
    demandRules(brokenRules(this.options.rules, password, login));
    return await this.options.passwords.hash(password);
  }

  /** @throws ServiceError `bad-request` */
  async replace(user: User, password: string, change: Change): Promise<void> {
    const { passwords, rules, store } = this.options;
    demandRules(await this.broken(password, user));
    await store.setPassword(user.id, await passwords.hash(password), rules.previous, change);
  }

  private async isReused(password: string, { id, login }: User): Promise<boolean> {
    const { passwords, rules, store } = this.options;
    const inUse = (await store.findUserByLogin(login))?.password;
    const earlier = (await store.earlierPasswords(id)).slice(0, rules.previous);
    for (const hash of new Set([...(inUse === undefined ? [] : [inUse]), ...earlier]))
      if (await passwords.attempt(password, hash, async (isRight) => isRight)) return true;
    return false;
  }
}
