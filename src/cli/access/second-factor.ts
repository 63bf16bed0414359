/** `bunraku access second-factor` */

import { ask, askSecret } from '../ask-secret.ts';
import { type Command, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { serviceOptions } from '../service-connection.ts';
import { rbacUsage } from '../user/rbac-client.ts';
import { SecondFactorClient } from './second-factor-client.ts';

export const accessSecondFactorCommand: Command = {
  name: 'access second-factor',
  summary: 'Ask for one-time codes beside your password, or no longer',
  usage: `
Usage: bunraku access second-factor show|enable|disable [OPTIONS]

Of the user whose token is shown: log in first (bunraku access login), and name the file with --token-file where this machine has a
certificate. 'enable' prints a secret for a program that makes codes (as text, and as a URI that such programs read as a
picture), asks for a first code and prints ten recovery codes. Each of those works once where a code is asked for: keep them apart.

The console has a field for the code. Clients that ask for a password alone, like 'puppet access', take the code behind the
password.

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: serviceOptions, flags: [] });
    const [action, ...more] = line.positional;
    const client = new SecondFactorClient(line, 'current');
    if (more.length > 0 || action === undefined) throw new UsageError('say show, enable or disable');
    switch (action) {
      case 'show': {
        const { enabled, recovery_codes_left: left } = await client.state();
        io.stdout(enabled ? `enabled, ${left} recovery codes left\n` : 'not enabled\n');
        return 0;
      }
      case 'enable': {
        const { secret, uri } = await client.begin(await askSecret('Password: ', io.signal));
        io.stdout(`Secret: ${secret}\n${uri}\n`);
        const codes = await client.confirm(await ask('First code: ', io.signal));
        io.stdout(`Recovery codes:\n${codes.map((code) => `  ${code}\n`).join('')}`);
        return 0;
      }
      case 'disable': {
        const password = await askSecret('Password: ', io.signal);
        const code = await ask('One-time or recovery code: ', io.signal);
        await client.remove({ current_password: password, one_time_code: code });
        return 0;
      }
      default:
        throw new UsageError(`say show, enable or disable, not '${action}'`);
    }
  },
};
