/** Second factors of local users: one-time codes beside the password. */

import type { ChangeDetails } from '../../../platform/changes/index.ts';
import { by, userEvent } from '../changes.ts';
import type { SecretSeal } from '../directory/directory.ts';
import { demand, rbacError } from '../rbac-error.ts';
import { type Actor, isSuperuser, type User } from '../user.ts';
import { base32, createSecret, stepOfCode, uriOf } from './one-time-code.ts';
import { createRecoveryCodes, recoveryDigest } from './recovery-code.ts';
import type { SecondFactor, SecondFactorStore } from './second-factor-store.ts';

export interface SecondFactorsOptions {
  readonly store: SecondFactorStore;
  readonly seal: SecretSeal;
  readonly now: () => Date;
  /** Whose codes these are, for people who have several. */
  readonly issuer: string;
}

/** What a program that makes codes is given. */
export interface Enrolment {
  /** In base 32. */
  readonly secret: string;
  /** `otpauth://totp/...` */
  readonly uri: string;
}

/** The methods for logins run one at a time for a user: a code is never taken twice. */
export class SecondFactors {
  private readonly options: SecondFactorsOptions;

  constructor(options: SecondFactorsOptions) {
    this.options = options;
  }

  /** The factor that a user has to show; `undefined` for users without one, and before it is confirmed. */
  async find(userId: string): Promise<SecondFactor | undefined> {
    const factor = await this.options.store.find(userId);
    return factor?.isConfirmed === true ? factor : undefined;
  }

  /** A new secret, which counts once the user has shown a code. The caller has looked at the password. */
  async begin(user: User): Promise<Enrolment> {
    const { issuer, seal, store } = this.options;
    if ((await this.find(user.id)) !== undefined)
      throw rbacError('conflict', 'conflict', `${user.login} has a second factor already; remove it first`);
    const secret = createSecret();
    const sealedSecret = seal.close(secret.toString('hex'));
    await store.save(
      { userId: user.id, sealedSecret, isConfirmed: false, lastStep: 0, recoveryDigests: [] },
      [],
    );
    return { secret: base32(secret), uri: uriOf(secret, user.login, issuer) };
  }

  /** @returns the recovery codes, which are shown this once @throws ServiceError `forbidden` for a wrong code */
  async confirm(user: User, code: string, actor: Actor): Promise<readonly string[]> {
    const { now, store } = this.options;
    const factor = await store.find(user.id);
    if (factor === undefined || factor.isConfirmed)
      throw rbacError('conflict', 'conflict', `${user.login} has begun no second factor`);
    const lastStep = this.stepOf(factor, code);
    if (lastStep === undefined) throw wrongCode();
    const codes = createRecoveryCodes();
    const confirmed = { ...factor, isConfirmed: true, lastStep, recoveryDigests: codes.map(recoveryDigest) };
    const change = factorEvent(user, 'create', `Turned on the second factor of the user ${user.login}`);
    await store.save(confirmed, [by(actor, now())(change)]);
    return codes;
  }

  /** For users who have lost theirs. @throws ServiceError `forbidden` */
  async removeFor(user: User, actor: Actor): Promise<void> {
    // The thief of a token must not get rid of one's own without the password and a code.
    if (user.id === actor.id)
      throw rbacError(
        'forbidden',
        'permission-denied',
        'Your own second factor is removed at /v1/users/current/second-factor, with the password and a code',
      );
    demand(actor, { objectType: 'users', action: 'reset_password', instance: user.id });
    // Who can remove the factor of a superuser and set the password could become one.
    if (isSuperuser(user) && !isSuperuser(actor))
      throw rbacError('forbidden', 'admin-user-immutable', `The user ${user.login} cannot be changed`);
    await this.remove(user, actor);
  }

  /** Whether a user without a factor, or with the right code, asks. */
  async isProof({ id }: User, code: string): Promise<boolean> {
    const factor = await this.find(id);
    return factor === undefined || (await this.take(factor, code));
  }

  /** Whether a one-time code or a recovery code is right; it does not count again. */
  async take(factor: SecondFactor, code: string): Promise<boolean> {
    const { store } = this.options;
    const lastStep = this.stepOf(factor, code);
    if (lastStep !== undefined) {
      await store.save({ ...factor, lastStep }, []);
      return true;
    }
    const digest = recoveryDigest(code);
    if (!factor.recoveryDigests.includes(digest)) return false;
    const recoveryDigests = factor.recoveryDigests.filter((each) => each !== digest);
    await store.save({ ...factor, recoveryDigests }, []);
    return true;
  }

  private stepOf({ lastStep, sealedSecret }: SecondFactor, code: string): number | undefined {
    const { now, seal } = this.options;
    const secret = Buffer.from(seal.open(sealedSecret), 'hex');
    return stepOfCode(secret, code, now().getTime(), lastStep);
  }

  /** The caller has looked whether the actor may. @throws ServiceError `not-found` */
  async remove(user: User, actor: Actor): Promise<void> {
    const { now, store } = this.options;
    if ((await store.find(user.id)) === undefined)
      throw rbacError('not-found', 'not-found', `${user.login} has no second factor`);
    const change = factorEvent(user, 'delete', `Removed the second factor of the user ${user.login}`);
    await store.remove(user.id, [by(actor, now())(change)]);
  }
}

function factorEvent(user: User, action: string, message: string): ChangeDetails {
  return userEvent(user, { action, what: 'second_factor', message });
}

function wrongCode() {
  return rbacError('forbidden', 'permission-denied', 'The one-time code is not right, or was used already');
}
