/** `bunraku access group list` */

import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { serviceOptions } from '../service-connection.ts';
import { tableLines } from '../text-table.ts';
import { RbacClient, rbacUsage } from '../user/rbac-client.ts';
import { UserGroupClient } from './user-group-client.ts';

export const accessGroupListCommand: Command = {
  name: 'access group list',
  summary: 'List imported groups of directories and identity providers, with their roles',
  usage: `
Usage: bunraku access group list [--format text|json] [OPTIONS]

Members are those who have logged in.

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...serviceOptions, '--format', '-F'], flags: [] });
    refuseWords(line.positional);
    const format = outputFormat(line);
    const rbac = new RbacClient(line);
    const groups = await new UserGroupClient(line).all();
    if (format === 'json') {
      io.stdout(renderJson(groups));
      return 0;
    }
    const [users, roles] = await Promise.all([rbac.users(), rbac.roles()]);
    const logins = new Map(users.map(({ id, login }) => [id, login]));
    const names = new Map(roles.map(({ display_name, id }) => [id, display_name]));
    const rows = groups.map((group) => ({
      group: group.login,
      name: group.display_name,
      roles: group.role_ids.map((id) => names.get(id) ?? id).join(', '),
      members: group.user_ids.map((id) => logins.get(id) ?? id).join(', '),
    }));
    for (const text of tableLines(rows)) io.stdout(`${text}\n`);
    return 0;
  },
};
