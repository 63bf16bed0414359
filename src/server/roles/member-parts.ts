/** What every server that has joined a primary begins with: its certificate, its foundation, and the way to the primary. */

import type { RootLogger } from '../../platform/log/index.ts';
import { primaryUrlOf, type Settings } from '../../platform/settings/index.ts';
import type { Migration } from '../../platform/storage/index.ts';
import { keepMemberCertificate, obtainMemberCertificate } from '../ca/member-certificate.ts';
import { linkToPrimary } from '../infrastructure/primary-link.ts';
import { foundationPart, lockPart, portsPart, statusPart } from './common-parts.ts';
import { Role } from './role.ts';

export interface MemberGiven {
  readonly settings: Settings;
  readonly log: RootLogger;
  /** Ends waiting for a certificate. */
  readonly signal: AbortSignal;
}

export function memberGround(migrations: readonly Migration[]) {
  return Role.given<MemberGiven>()
    .with({ lock: lockPart })
    .with({
      status: statusPart,
      ports: portsPart,
      files: async ({ log, settings, signal }) => {
        const url = primaryUrlOf(settings.primary);
        return { value: await obtainMemberCertificate(settings, log, url, signal) };
      },
    })
    .with({
      foundation: (given) => foundationPart(given, migrations, { hasReaderThread: false }),
      primary: async ({ files, settings }) => {
        const link = await linkToPrimary(primaryUrlOf(settings.primary), files);
        return { value: link, stop: () => link.client.close() };
      },
    })
    .with({
      certificate: ({ files, foundation, primary, signal }) => {
        const certificate = keepMemberCertificate(foundation, { ...primary, files, signal });
        return { value: certificate, reload: () => certificate.reload() };
      },
    });
}
