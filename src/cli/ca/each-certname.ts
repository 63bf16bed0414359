/** What `ca revoke` and `ca clean` do: one thing to each certificate that `--certname` names. */

import type { CaFlags } from './arguments.ts';
import type { CaClient } from './client.ts';
import { openCa } from './open-ca.ts';
import { type CaOutcome, exitCodes, worstOutcome } from './outcome.ts';

/** @returns the exit code of the worst outcome */
export async function eachCertname(
  flags: CaFlags,
  act: (ca: CaClient, certname: string) => Promise<CaOutcome>,
): Promise<number> {
  const ca = await openCa(flags, false);
  try {
    const outcomes: CaOutcome[] = [];
    for (const certname of flags.list('certname')) outcomes.push(await act(ca, certname));
    return exitCodes[worstOutcome(outcomes)];
  } finally {
    await ca.close();
  }
}
