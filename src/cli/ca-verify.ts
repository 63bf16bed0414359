/** `bunraku ca verify` */

import { verifyDirectory } from '../services/ca/index.ts';
import type { CaAction } from './ca-action.ts';
import { defaultCaDir, signingCommandOf } from './ca-client.ts';

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
  --ca-dir DIR               The CA directory (default ${defaultCaDir})
  --signing-command COMMAND  What signs in place of ca_key.pem
  --help                     Display this command-specific help output
`,
  flags: { 'ca-dir': 'text', 'signing-command': 'text' },
  problems: () => [],
  async run(flags, io) {
    const caDir = flags.text('ca-dir') ?? defaultCaDir;
    const hasKeyElsewhere = signingCommandOf(flags).length > 0;
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
