/** `bunraku user password` */

import { askNewPassword } from '../ask-secret.ts';
import type { Command } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { loginOf, RbacClient, rbacOptions, rbacUsage } from './rbac-client.ts';

export const userPasswordCommand: Command = {
  name: 'user password',
  summary: 'Give a user a new password',
  usage: `
Usage: bunraku user password LOGIN [OPTIONS]

Asks for the password, or reads it from standard input. It unlocks a user who was revoked or locked out.

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: rbacOptions, flags: [] });
    const login = loginOf(line);
    const client = new RbacClient(line);
    const user = await client.user(login);
    await client.setPassword(user, await askNewPassword(login, io.signal));
    return 0;
  },
};
