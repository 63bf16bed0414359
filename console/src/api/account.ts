/** Requests of users about their own account: password and one-time codes. */

import type {
  EnrolmentAnswer,
  RecoveryCodes,
  SecondFactorAnswer,
} from '../../../src/services/rbac/second-factor/answers/wire.ts';
import { get, post, put, remove } from './client.ts';

export type {
  EnrolmentAnswer as Enrolment,
  SecondFactorAnswer as SecondFactor,
} from '../../../src/services/rbac/second-factor/answers/wire.ts';

const own = '/rbac-api/v1/users/current';

/** Ends all sessions of the user. @throws ApiError naming the rules that the new password breaks */
export async function changePassword(current: string, password: string): Promise<void> {
  await put(`${own}/password`, { current_password: current, password });
}

export async function readSecondFactor(signal: AbortSignal): Promise<SecondFactorAnswer> {
  return await get(`${own}/second-factor`, {}, signal);
}

/** Begins anew: the secret counts once a code was shown. */
export async function beginSecondFactor(password: string): Promise<EnrolmentAnswer> {
  const enrolment = await post<EnrolmentAnswer>(`${own}/second-factor`, { current_password: password });
  if (enrolment === undefined) throw new Error('the server has answered nothing');
  return enrolment;
}

/** @returns the recovery codes, which are shown this once */
export async function confirmSecondFactor(code: string): Promise<readonly string[]> {
  const answer = await put<RecoveryCodes>(`${own}/second-factor`, {
    one_time_code: code,
  });
  return answer?.recovery_codes ?? [];
}

export async function endSecondFactor(password: string, code: string): Promise<void> {
  await remove(`${own}/second-factor`, { current_password: password, one_time_code: code });
}
