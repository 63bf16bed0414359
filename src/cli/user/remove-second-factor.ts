/** `bunraku user remove-second-factor` */

import { SecondFactorClient } from '../access/second-factor-client.ts';
import type { Command } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { loginOf, RbacClient, rbacOptions, rbacUsage } from './rbac-client.ts';

export const userRemoveSecondFactorCommand: Command = {
  name: 'user remove-second-factor',
  summary: 'Let a user who has lost the second factor log in with the password alone',
  usage: `
Usage: bunraku user remove-second-factor LOGIN [OPTIONS]

Make sure that it is the user who asks: a password alone is enough afterwards.

${rbacUsage}`,
  async run(args) {
    const line = readCommandLine(args, { withValue: rbacOptions, flags: [] });
    const { id } = await new RbacClient(line).user(loginOf(line));
    await new SecondFactorClient(line, id).remove();
    return 0;
  },
};
