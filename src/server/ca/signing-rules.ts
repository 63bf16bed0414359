/** Requests that wait are looked at again when the rules for signing change. */

import { stat } from 'node:fs/promises';
import { ifThere } from '../../lib/if-there.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { CertificateAuthority } from '../../services/ca/index.ts';
import { type Periodic, periodically } from '../periodic.ts';

const lookIntervalMs = 5000;

/**
 * Looks at the files of the settings `autosign` and `signing_policy` every few seconds. The first `run` finds what changed
 * while no server ran.
 */
export function watchSigningRules(
  ca: Pick<CertificateAuthority, 'reconsider'>,
  settings: Pick<Settings, 'autosign' | 'signingPolicy'>,
  log: Logger,
): Periodic {
  const files = [settings.autosign, settings.signingPolicy].filter(
    (file): file is string => typeof file === 'string' && file !== '',
  );
  const stopping = new AbortController();
  let last: string | undefined;
  const look = async () => {
    const present = (await Promise.all(files.map(stampOf))).join();
    if (present === last) return;
    // Even when it fails: what is wrong in a file is told once.
    last = present;
    await ca.reconsider(stopping.signal);
  };
  const periodic = periodically(look, lookIntervalMs, log, 'look at waiting certificate requests again');
  return {
    run: () => periodic.run(),
    stop() {
      stopping.abort();
      return periodic.stop();
    },
  };
}

async function stampOf(file: string): Promise<string> {
  const found = await ifThere(stat(file));
  return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size} ${found.mode}`;
}
