/** `bunraku user list` */

import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';
import { tableLines } from '../text-table.ts';
import { RbacClient, rbacOptions, rbacUsage } from './rbac-client.ts';

export const userListCommand: Command = {
  name: 'user list',
  summary: 'List users with their roles',
  usage: `
Usage: bunraku user list [--format text|json] [OPTIONS]

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...rbacOptions, '--format', '-F'], flags: [] });
    refuseWords(line.positional);
    const format = outputFormat(line);
    const client = new RbacClient(line);
    const [users, roles] = await Promise.all([client.users(), client.roles()]);
    if (format === 'json') {
      io.stdout(renderJson(users));
      return 0;
    }
    const names = new Map(roles.map(({ display_name, id }) => [id, display_name]));
    const rows = users.map((user) => ({
      login: user.login,
      name: user.display_name,
      roles: [...new Set([...user.role_ids, ...user.inherited_role_ids])]
        .map((id) => names.get(id) ?? id)
        .join(', '),
      'last login': user.last_login ?? 'never',
      from: user.is_remote ? 'elsewhere' : 'here',
      state: user.is_revoked ? 'revoked' : '',
    }));
    for (const text of tableLines(rows)) io.stdout(`${text}\n`);
    return 0;
  },
};
