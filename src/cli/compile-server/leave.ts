/** `bunraku compile-server leave` */

import { existsSync } from 'node:fs';
import { sslFiles } from '../../platform/x509/index.ts';
import { removeIdentity } from '../../services/node-certificate/index.ts';
import { ReceivedFiles } from '../../services/server-files/index.ts';
import { type Command, UsageError } from '../command.ts';
import { departureTimeoutMs, reportDeparture } from '../infrastructure/forget.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { askPrimary } from '../primary-connection.ts';
import { disableCompileServerUnit, hasCompileServerUnit } from './unit.ts';

export const compileServerLeaveCommand: Command = {
  name: 'compile-server leave',
  summary: 'Let this compile server leave the installation',
  usage: `
Usage: bunraku compile-server leave [--force] [--SETTING VALUE ...]

Tells the primary that this compile server leaves. The server here, when it runs, turns unhealthy first, finishes what is
under way, delivers what it keeps and ends; then the primary revokes and removes its certificate, deactivates it in PuppetDB
and forgets it. Key and certificate of this machine are removed, so that it may join again. To stop a server for a
while, for a reboot for example, end it with SIGTERM instead (systemctl stop): it comes back with the certificate that it has.

  --force   Don't wait until it has drained
`,
  async run(args, io) {
    const { flags, positional, settings } = readCommandLine(args, { withValue: [], flags: ['--force'] });
    refuseWords(positional);
    if (settings.primary === '')
      throw new UsageError('this is no compile server: the setting primary is empty');
    const files = sslFiles(settings.sslDir, settings.certname);
    if (!existsSync(files.certificate)) {
      io.stdout(`${settings.certname} has no certificate: it has left already\n`);
      return 0;
    }
    const answer = await askPrimary(settings, {
      method: 'POST',
      path: `/infrastructure/v1/leave?force=${flags.has('--force')}`,
      timeoutMs: departureTimeoutMs,
    });
    await removeIdentity(files);
    // Where the server does not run.
    await new ReceivedFiles(settings.stateDir).clear();
    if (hasCompileServerUnit()) disableCompileServerUnit();
    reportDeparture(answer, io);
    return 0;
  },
};
