/** `bunraku access directory set` */

import { askSecret } from '../ask-secret.ts';
import { type Command, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { serviceOptions } from '../service-connection.ts';
import { rbacUsage } from '../user/rbac-client.ts';
import { DirectoryClient, directoryNameOf } from './directory-client.ts';
import { fieldsOf } from './directory-fields.ts';

export const accessDirectorySetCommand: Command = {
  name: 'access directory set',
  summary: 'Connect an LDAP directory whose users may log in, or change how it is reached',
  usage: `
Usage: bunraku access directory set NAME [--kind KIND] [--host HOST] [--base-dn DN] [--lookup-user DN] [OPTIONS]

Makes a directory of this name, or changes the one that there is: what is not given stays as it is. Tests the connection first,
and saves nothing when that fails.

  --kind KIND          openldap or active-directory: attributes and classes as these have them; needed for a new directory
  --host HOST          The name of the server, as its certificate has it
  --base-dn DN         The entry below which users and groups are: dc=example,dc=com
  --security KIND      tls (port 636; usual for a new directory), start-tls or none (port 389)
  --lookup-user DN     The user who searches; asks for the password, or reads it from standard input. Without it, searches
                       are anonymous
  --password           Ask for a new password of the lookup user
  --set NAME=VALUE     Any other setting, as 'access directory show' names it; may be given several times. An empty value
                       removes it: user_rdn, user_lookup_attr, group_rdn, group_object_class, port, ...
  --no-test            Save without a test
${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, {
      withValue: [...serviceOptions, '--kind', '--host', '--base-dn', '--security', '--lookup-user', '--set'],
      flags: ['--password', '--no-test'],
    });
    const name = directoryNameOf(line);
    if (name === undefined) throw new UsageError('name the directory');
    const client = new DirectoryClient(line);
    const fields = fieldsOf(line, name, await client.find(name));
    const needsPassword = line.values.has('--lookup-user') || line.flags.has('--password');
    const password = needsPassword
      ? { password: await askSecret('Password of the lookup user: ', io.signal) }
      : {};
    const wanted = { ...fields, ...password };
    if (!line.flags.has('--no-test')) await client.test(wanted);
    await client.save(wanted);
    return 0;
  },
};
