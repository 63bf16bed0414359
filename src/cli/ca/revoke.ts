/** `bunraku ca revoke` */

import type { CaAction } from './action.ts';
import { certnameProblems } from './arguments.ts';
import { nodePath } from './client.ts';
import { eachCertname } from './each-certname.ts';
import { accessFlags, accessUsage } from './open-ca.ts';
import { reportRevoked } from './outcome.ts';

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
  run: (flags, io) =>
    eachCertname(flags, async (ca, certname) => {
      const reply = await ca.request('PUT', nodePath('certificate_status', certname), revokeBody);
      return reportRevoked(certname, reply, io);
    }),
};
