/** `bunraku user roles` */

import type { Command } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { loginOf, RbacClient, rbacOptions, rbacUsage } from './rbac-client.ts';

export const userRolesCommand: Command = {
  name: 'user roles',
  summary: 'Give roles to a user, and take them back',
  usage: `
Usage: bunraku user roles LOGIN [--add ROLE ...] [--remove ROLE ...] [OPTIONS]

Applies to the user's tokens at once. Prints the roles that the user has then.

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...rbacOptions, '--add', '--remove'], flags: [] });
    const login = loginOf(line);
    const client = new RbacClient(line);
    const { id } = await client.user(login);
    const change = async (command: string, names: readonly string[] = []): Promise<void> => {
      const role_ids = await client.roleIds(names);
      if (role_ids.length > 0) await client.command(command, { user_id: id, role_ids });
    };
    await change('add-roles', line.values.get('--add'));
    await change('remove-roles', line.values.get('--remove'));
    const [{ role_ids: ids }, roles] = await Promise.all([client.user(login), client.roles()]);
    for (const role of roles) if (ids.includes(role.id)) io.stdout(`${role.display_name}\n`);
    return 0;
  },
};
