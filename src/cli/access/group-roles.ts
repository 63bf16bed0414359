/** `bunraku access group roles` */

import { type Command, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { serviceOptions } from '../service-connection.ts';
import { RbacClient, rbacUsage } from '../user/rbac-client.ts';
import { UserGroupClient } from './user-group-client.ts';

export const accessGroupRolesCommand: Command = {
  name: 'access group roles',
  summary: 'Give roles to the members of an imported group, and take them back',
  usage: `
Usage: bunraku access group roles GROUP [--add ROLE ...] [--remove ROLE ...] [OPTIONS]

Applies to tokens of members at once. Prints the roles that the group has then.

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...serviceOptions, '--add', '--remove'], flags: [] });
    const [login, ...more] = line.positional;
    if (login === undefined || more.length > 0) throw new UsageError('name one group');
    const [rbac, client] = [new RbacClient(line), new UserGroupClient(line)];
    const group = await client.get(login);
    const added = await rbac.roleIds(line.values.get('--add') ?? []);
    const removed = await rbac.roleIds(line.values.get('--remove') ?? []);
    const wanted = [...new Set([...group.role_ids, ...added])].filter((id) => !removed.includes(id));
    if (added.length + removed.length > 0) await client.setRoles(group, wanted);
    for (const role of await rbac.roles()) if (wanted.includes(role.id)) io.stdout(`${role.display_name}\n`);
    return 0;
  },
};
