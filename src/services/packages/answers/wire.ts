/** Answers about the installation of agents, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

export const AgentInstallationWire = z.strictObject({
  server: z.string(),
  port: z.int(),
  /** SHA-256 of the CA's certificates, as the line compares it. */
  ca_digest: z.string(),
  line: z.string(),
  /** As guides have it: does not verify the server. */
  unverified_line: z.string(),
});

export type AgentInstallation = Answer<z.infer<typeof AgentInstallationWire>>;
