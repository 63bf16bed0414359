/** `bunraku user revoke` */

import type { Command } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { loginOf, RbacClient, rbacOptions, rbacUsage } from './rbac-client.ts';

export const userRevokeCommand: Command = {
  name: 'user revoke',
  summary: 'Lock a user out: no login, and no valid token',
  usage: `
Usage: bunraku user revoke LOGIN [OPTIONS]

'bunraku user reinstate' lets the user in again, who then needs new tokens.

${rbacUsage}`,
  async run(args) {
    const line = readCommandLine(args, { withValue: rbacOptions, flags: [] });
    const login = loginOf(line);
    const client = new RbacClient(line);
    await client.command('revoke', { user_id: (await client.user(login)).id });
    return 0;
  },
};
