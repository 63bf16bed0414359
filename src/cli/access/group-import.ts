/** `bunraku access group import` */

import { type Command, UsageError } from '../command.ts';
import { lastOf, readCommandLine } from '../own-options.ts';
import { serviceOptions } from '../service-connection.ts';
import { RbacClient, rbacUsage } from '../user/rbac-client.ts';
import { DirectoryClient } from './directory-client.ts';
import { UserGroupClient } from './user-group-client.ts';

export const accessGroupImportCommand: Command = {
  name: 'access group import',
  summary: 'Give roles to the members of a group of a directory',
  usage: `
Usage: bunraku access group import GROUP --role ROLE ... [--directory NAME] [OPTIONS]

Members have the roles from their next login on, and with tokens that they have already within five minutes
(rbac_directory_refresh).

  --role ROLE          What members may do: administrators, operators, code-deployers, viewers or a role of your own; may be
                       given several times
  --directory NAME     The directory that has the group, where there are several
${rbacUsage}`,
  async run(args) {
    const line = readCommandLine(args, {
      withValue: [...serviceOptions, '--role', '--directory'],
      flags: [],
    });
    const [login, ...more] = line.positional;
    if (login === undefined || more.length > 0) throw new UsageError('name one group');
    const directory = lastOf(line, '--directory');
    const directoryId =
      directory === undefined ? undefined : (await new DirectoryClient(line).get(directory)).id;
    const roleIds = await new RbacClient(line).roleIds(line.values.get('--role') ?? []);
    await new UserGroupClient(line).import(login, roleIds, directoryId);
    return 0;
  },
};
