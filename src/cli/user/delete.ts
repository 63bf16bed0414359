/** `bunraku user delete` */

import type { Command } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { loginOf, RbacClient, rbacOptions, rbacUsage } from './rbac-client.ts';

export const userDeleteCommand: Command = {
  name: 'user delete',
  summary: 'Delete a user with all tokens',
  usage: `
Usage: bunraku user delete LOGIN [OPTIONS]

To keep a user out for a while: bunraku user revoke.

${rbacUsage}`,
  async run(args) {
    const line = readCommandLine(args, { withValue: rbacOptions, flags: [] });
    const login = loginOf(line);
    const client = new RbacClient(line);
    await client.remove(await client.user(login));
    return 0;
  },
};
