/** `bunraku user create` */

import { askNewPassword } from '../ask-secret.ts';
import type { Command } from '../command.ts';
import { lastOf, readCommandLine } from '../own-options.ts';
import { loginOf, RbacClient, rbacOptions, rbacUsage } from './rbac-client.ts';

export const userCreateCommand: Command = {
  name: 'user create',
  summary: 'Make a user, who can log in and get tokens',
  usage: `
Usage: bunraku user create LOGIN --role ROLE ... [--name TEXT] [--email ADDRESS] [--no-password] [OPTIONS]

Asks for the password, or reads it from standard input. Run it on the primary with the settings that it runs with, or as a
user who may make others.

  --role ROLE          What the user may do: administrators, operators, code-deployers, viewers or a role of your own; may
                       be given several times
  --no-password        The user cannot log in: for pipelines, which get tokens by 'bunraku user token'
${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: [...rbacOptions, '--role', '--name', '--email'],
      flags: ['--no-password'],
    });
    const login = loginOf(line);
    const client = new RbacClient(line);
    const roleIds = await client.roleIds(line.values.get('--role') ?? []);
    const password = line.flags.has('--no-password') ? undefined : await askNewPassword(login, io.signal);
    await client.createUser({
      login,
      display_name: lastOf(line, '--name'),
      email: lastOf(line, '--email'),
      role_ids: roleIds,
      password,
    });
    return 0;
  },
};
