/** `bunraku access directory delete` */

import { type Command, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { serviceOptions } from '../service-connection.ts';
import { rbacUsage } from '../user/rbac-client.ts';
import { DirectoryClient, directoryNameOf } from './directory-client.ts';

export const accessDirectoryDeleteCommand: Command = {
  name: 'access directory delete',
  summary: 'Disconnect a directory for good, with the user groups that were imported from it',
  usage: `
Usage: bunraku access directory delete NAME [OPTIONS]

Its users can no longer log in, and their tokens end at once.

${rbacUsage}`,
  async run(args) {
    const line = readCommandLine(args, { withValue: serviceOptions, flags: [] });
    const name = directoryNameOf(line);
    if (name === undefined) throw new UsageError('name the directory');
    const client = new DirectoryClient(line);
    await client.delete(await client.get(name));
    return 0;
  },
};
