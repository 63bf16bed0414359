/** Who uses the console, whose type the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

export const SessionWire = z.strictObject({
  user: z.strictObject({
    id: z.string(),
    login: z.string(),
    display_name: z.string(),
    is_superuser: z.boolean(),
  }),
  permissions: z.array(z.strictObject({ object_type: z.string(), action: z.string(), instance: z.string() })),
  /** When somebody logged in for it; null for a token. */
  begun: z.iso.datetime().nullable(),
  /** When it ends at the latest. */
  ends: z.iso.datetime().nullable(),
  /** Parts of the installation that are there. */
  features: z.array(z.string()),
  version: z.string(),
});

export type SessionAnswer = Answer<z.infer<typeof SessionWire>>;
