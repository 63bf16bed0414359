/** Answers about second factors of `/rbac-api`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../../lib/read-only-answer.ts';

export const SecondFactorWire = z.strictObject({ enabled: z.boolean(), recovery_codes_left: z.int() });

/** For a program that makes codes. */
export const EnrolmentWire = z.strictObject({
  /** In base 32. */
  secret: z.string(),
  /** `otpauth://totp/...` */
  uri: z.string(),
});

/** They are shown this once. */
export const RecoveryCodesWire = z.strictObject({ recovery_codes: z.array(z.string()) });

export type SecondFactorAnswer = Answer<z.infer<typeof SecondFactorWire>>;
export type EnrolmentAnswer = Answer<z.infer<typeof EnrolmentWire>>;
export type RecoveryCodes = Answer<z.infer<typeof RecoveryCodesWire>>;
