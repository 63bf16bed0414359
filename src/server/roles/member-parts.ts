/** What every server that has joined a primary begins with: its certificate, its foundation, and the way to the primary. */

import type { RootLogger } from '../../platform/log/index.ts';
import { primaryUrlOf, type Settings } from '../../platform/settings/index.ts';
import type { Migration } from '../../platform/storage/index.ts';
import type { MemberRole } from '../../services/infrastructure/index.ts';
import { untilCalled } from '../autoscaler/own-instance.ts';
import { CrlFollower } from '../ca/crl-follower.ts';
import { keepMemberCertificate, obtainMemberCertificate } from '../ca/member-certificate.ts';
import type { TlsReloader } from '../ca/service-certificates.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import { Membership } from '../infrastructure/membership.ts';
import { ownReport } from '../infrastructure/own-report.ts';
import { linkToPrimary } from '../infrastructure/primary-link.ts';
import { foundationPart, lockPart, portsPart, statusPart } from './common-parts.ts';
import { type Part, Role } from './role.ts';

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
        await untilCalled(settings, log, signal);
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

/**
 * A member that serves no agents. Its port is what each role adds; `contactFor` makes the part that follows the primary's
 * revocations for that port, and checks in.
 */
export function loneMember(role: MemberRole, migrations: readonly Migration[]) {
  return memberGround(migrations)
    .with({
      report: ({ certificate, foundation, ports, settings, status }) => {
        status.register(foundation.disks.status(announcedVersion(settings)));
        const certificateEndsAt = () => certificate.endsAt;
        return { value: ownReport({ role, settings, status, ports, certificateEndsAt }) };
      },
    })
    .with({
      membership: ({ files, log, primary, report }) => {
        const infrastructureLog = log.child({ service: 'infrastructure' });
        const membership = new Membership({ ...primary, files, log: infrastructureLog, report });
        // What it has accepted is not here: nothing is left to deliver.
        return { value: membership, stop: () => membership.stop(true) };
      },
    })
    .with({
      contactFor: ({ certificate, files, log, membership, primary }) => ({
        value: (port: Pick<TlsReloader, 'setRevocationLists'>): Part<undefined> => {
          const crl = new CrlFollower({
            ...primary,
            file: files.crl,
            log: log.child({ service: 'crl' }),
            async onChange(lists) {
              port.setRevocationLists(lists);
              await membership.look(lists);
            },
          });
          return {
            value: undefined,
            start() {
              crl.start();
              membership.start();
              void certificate.run();
            },
            async stop() {
              await crl.stop();
              await certificate.stop();
            },
          };
        },
      }),
    });
}
