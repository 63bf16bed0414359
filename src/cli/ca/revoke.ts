/** `bunraku ca revoke` */

import type { CaAction } from './action.ts';
import { certnameProblems } from './arguments.ts';
import { nodePath } from './client.ts';
import { accessFlags, accessUsage, openCa } from './open-ca.ts';
import { type CaOutcome, exitCodes, reportRevoked, worstOutcome } from './outcome.ts';

export const revokeBody = JSON.stringify({ desired_state: 'revoked' });

export const caRevokeAction: CaAction = {
  name: 'revoke',
  summary: 'Revoke certificate(s)',
  usage: `Usage:
  bunraku ca revoke [--help]
  bunraku ca revoke --certname NAME[,NAME]

Description:
  Given one or more valid certnames, instructs the CA to revoke them.

Options:
  --certname NAME[,NAME]     One or more comma separated certnames
${accessUsage}`,
  flags: { ...accessFlags, certname: 'list' },
  problems: (flags) => certnameProblems(flags, 'revoke'),
  async run(flags, io) {
    const ca = await openCa(flags, false);
    try {
      const outcomes: CaOutcome[] = [];
      for (const certname of flags.list('certname')) {
        const reply = await ca.request('PUT', nodePath('certificate_status', certname), revokeBody);
        outcomes.push(reportRevoked(certname, reply, io));
      }
      return exitCodes[worstOutcome(outcomes)];
    } finally {
      await ca.close();
    }
  },
};
