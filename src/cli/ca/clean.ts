/** `bunraku ca clean` */

import type { CommandIo } from '../command.ts';
import type { CaAction } from './action.ts';
import { certnameProblems } from './arguments.ts';
import { type CaClient, nodePath } from './client.ts';
import { eachCertname } from './each-certname.ts';
import { accessFlags, accessUsage } from './open-ca.ts';
import { type CaOutcome, reportCleaned, reportUnexpected } from './outcome.ts';
import { revokeBody } from './revoke.ts';

export const caCleanAction: CaAction = {
  name: 'clean',
  summary: 'Revoke cert(s) and remove related files from CA',
  usage: `Usage:
  bunraku ca clean [--help]
  bunraku ca clean --certname NAME[,NAME]

Description:
  Given one or more valid certnames, instructs the CA to revoke certificates
  matching the given certnames if they exist, and then remove files pertaining
  to them (cert and certificate request).

Options:
  --certname NAME[,NAME]     One or more comma separated certnames
${accessUsage}`,
  flags: { ...accessFlags, certname: 'list' },
  problems: (flags) => certnameProblems(flags, 'clean'),
  run: (flags, io) => eachCertname(flags, (ca, certname) => clean(ca, certname, io)),
};

/** A request that was never signed is removed, and counts as `invalid` because nothing could be revoked. */
async function clean(ca: CaClient, certname: string, io: CommandIo): Promise<CaOutcome> {
  const path = nodePath('certificate_status', certname);
  const revocation = await ca.request('PUT', path, revokeBody);
  const { status } = revocation;
  if (status === 200 || status === 204) io.stdout(`Certificate for ${certname} has been revoked\n`);
  else if (status !== 404 && status !== 409) {
    return reportUnexpected(
      [`    When attempting to revoke certificate '${certname}', received:`],
      revocation,
      io,
    );
  }
  const cleaned = reportCleaned(certname, await ca.request('DELETE', path), io);
  if (cleaned !== 'success') return 'error';
  return status === 409 ? 'invalid' : 'success';
}
