/** `bunraku access group import` */

import { type Command, UsageError } from '../command.ts';
import { type CommandLine, lastOf, readCommandLine } from '../own-options.ts';
import { serviceOptions } from '../service-connection.ts';
import { RbacClient, rbacUsage } from '../user/rbac-client.ts';
import { DirectoryClient } from './directory-client.ts';
import { UserGroupClient } from './user-group-client.ts';

export const accessGroupImportCommand: Command = {
  name: 'access group import',
  summary: 'Give roles to the members of a group of a directory or an identity provider',
  usage: `
Usage: bunraku access group import GROUP --role ROLE ... [--directory NAME | --provider NAME] [OPTIONS]

Members have the roles from their next login on, and with tokens that they have already within five minutes
(rbac_directory_refresh). An identity provider says at a login who is in which group; it cannot be asked whether it has one.

  --role ROLE          What members may do: administrators, operators, code-deployers, viewers or a role of your own; may be
                       given several times
  --directory NAME     The directory that has the group, where there are several
  --provider NAME      The identity provider that has the group, where there are several, or a directory besides; 'saml' is
                       the one that speaks SAML
${rbacUsage}`,
  async run(args) {
    const line = readCommandLine(args, {
      withValue: [...serviceOptions, '--role', '--directory', '--provider'],
      flags: [],
    });
    const [login, ...more] = line.positional;
    if (login === undefined || more.length > 0) throw new UsageError('name one group');
    const source = await sourceOf(line);
    const roleIds = await new RbacClient(line).roleIds(line.values.get('--role') ?? []);
    await new UserGroupClient(line).import(login, roleIds, source);
    return 0;
  },
};

async function sourceOf(line: CommandLine): Promise<string | undefined> {
  const [directory, provider] = [lastOf(line, '--directory'), lastOf(line, '--provider')];
  if (directory !== undefined && provider !== undefined)
    throw new UsageError('a group is of a directory or of an identity provider: give one of them');
  if (directory !== undefined) return (await new DirectoryClient(line).get(directory)).id;
  return provider;
}
