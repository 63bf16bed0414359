/** `bunraku user reinstate` */

import { type Command, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { RbacClient, rbacOptions, rbacUsage } from './rbac-client.ts';

export const userReinstateCommand: Command = {
  name: 'user reinstate',
  summary: 'Let a user in again who was revoked, or locked out by wrong passwords',
  usage: `
Usage: bunraku user reinstate LOGIN [OPTIONS]

The password is the one from before.

${rbacUsage}`,
  async run(args) {
    const line = readCommandLine(args, { withValue: rbacOptions, flags: [] });
    const [login, ...more] = line.positional;
    if (login === undefined || more.length > 0) throw new UsageError('name one login');
    const client = new RbacClient(line);
    await client.command('reinstate', { user_id: (await client.user(login)).id });
    return 0;
  },
};
