/** `bunraku access group delete` */

import { type Command, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { serviceOptions } from '../service-connection.ts';
import { rbacUsage } from '../user/rbac-client.ts';
import { UserGroupClient } from './user-group-client.ts';

export const accessGroupDeleteCommand: Command = {
  name: 'access group delete',
  summary: 'Take all roles from the members of an imported group, and forget the group',
  usage: `
Usage: bunraku access group delete GROUP [OPTIONS]

The directory keeps it.

${rbacUsage}`,
  async run(args) {
    const line = readCommandLine(args, { withValue: serviceOptions, flags: [] });
    const [login, ...more] = line.positional;
    if (login === undefined || more.length > 0) throw new UsageError('name one group');
    const client = new UserGroupClient(line);
    await client.delete(await client.get(login));
    return 0;
  },
};
