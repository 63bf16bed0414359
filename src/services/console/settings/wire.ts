/** What is set on the server, whose type the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

const SettingWire = z.strictObject({
  name: z.string(),
  section: z.string(),
  doc: z.string(),
  value: z.string(),
  default: z.string(),
  /** A file with its line, a variable, a flag, or `default`. */
  origin: z.string(),
});

export const SettingsWire = z.strictObject({
  settings: z.array(SettingWire),
  /** Of the log-in page; null where it has none. */
  login_text: z.string().nullable(),
});

export type ListedSetting = Answer<z.infer<typeof SettingWire>>;
export type SettingsAnswer = Answer<z.infer<typeof SettingsWire>>;
