/** Answers of `/activity-api/v2/changes`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

const ChangeWire = z.strictObject({
  id: z.int(),
  time: z.iso.datetime(),
  service: z.string(),
  object: z.strictObject({ type: z.string(), id: z.string(), name: z.string() }),
  /** `user`, `certificate`, `server`, `webhook`, `anonymous` */
  by: z.strictObject({ kind: z.string(), id: z.string(), name: z.string() }),
  address: z.string().nullable(),
  events: z.array(z.strictObject({ action: z.string(), what: z.string(), message: z.string() })),
  /** Whether the object before and after is known. */
  has_before: z.boolean(),
  has_after: z.boolean(),
});

export const ChangePageWire = z.strictObject({
  /** The newest first. */
  changes: z.array(ChangeWire),
  /** The next page has the changes before this one; null on the last page. */
  next: z.int().nullable(),
});

export const WholeChangeWire = ChangeWire.extend({
  /** The object; null where it did not exist, or this user may not see it. */
  before: z.unknown(),
  after: z.unknown(),
  values_shown: z.boolean(),
});

export type ChangeAnswer = Answer<z.infer<typeof ChangeWire>>;
export type ChangePage = Answer<z.infer<typeof ChangePageWire>>;
export type WholeChange = Answer<z.infer<typeof WholeChangeWire>>;
