/** `bunraku user reinstate` */

import type { Command } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { loginOf, RbacClient, rbacOptions, rbacUsage } from './rbac-client.ts';

export const userReinstateCommand: Command = {
  name: 'user reinstate',
  summary: 'Let a user in again who was revoked, or locked out by wrong passwords',
  usage: `
Usage: bunraku user reinstate LOGIN [OPTIONS]

The password is the one from before.

${rbacUsage}`,
  async run(args) {
    const line = readCommandLine(args, { withValue: rbacOptions, flags: [] });
    const login = loginOf(line);
    const client = new RbacClient(line);
    await client.command('reinstate', { user_id: (await client.user(login)).id });
    return 0;
  },
};
