/** `bunraku ca verify` */

import { verifyDirectory } from '../../services/ca/index.ts';
import type { CaAction } from './action.ts';
import { readCaSite, siteFlags, siteUsage } from './site.ts';

export const caVerifyAction: CaAction = {
  name: 'verify',
  summary: 'Check everything in the CA directory and say what is wrong with it',
  usage: `Usage:
  bunraku ca verify [--help]
  bunraku ca verify [--ca-dir DIR]

Description:
  Reads keys, certificates, CRLs, inventory, signed certificates and
  requests, and says in words what does not fit together, has expired or
  will expire soon. Changes nothing; a server may be running.

Options:
${siteUsage}`,
  flags: siteFlags,
  problems: () => [],
  async run(flags, io) {
    const { caDir, signingCommand } = (await readCaSite(flags)).ca;
    const hasKeyElsewhere = signingCommand.length > 0;
    const { certificates, findings, requests, revoked } = await verifyDirectory(
      caDir,
      hasKeyElsewhere,
      new Date(),
    );
    for (const { message, severity } of findings)
      (severity === 'error' ? io.stderr : io.stdout)(
        `${severity === 'error' ? 'Error' : 'Warning'}: ${message}\n`,
      );
    io.stdout(
      `${certificates} signed certificates, ${requests} requests, ${revoked} revoked serial numbers.\n`,
    );
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const warnings = findings.length - errors;
    io.stdout(errors === 0 ? `The CA in ${caDir} is sound` : `The CA in ${caDir} has ${errors} errors`);
    io.stdout(warnings === 0 ? '.\n' : `, with ${warnings} warnings.\n`);
    return errors === 0 ? 0 : 1;
  },
};
