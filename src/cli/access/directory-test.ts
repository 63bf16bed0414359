/** `bunraku access directory test` */

import type { Command } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { serviceOptions } from '../service-connection.ts';
import { rbacUsage } from '../user/rbac-client.ts';
import { DirectoryClient, directoryNameOf } from './directory-client.ts';

export const accessDirectoryTestCommand: Command = {
  name: 'access directory test',
  summary: 'Test the connection to a directory, its lookup user and its base DN',
  usage: `
Usage: bunraku access directory test [NAME] [OPTIONS]

Exit code 0 when the directory answers as it should, else 1 with the reason.

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: serviceOptions, flags: [] });
    const client = new DirectoryClient(line);
    const directory = await client.get(directoryNameOf(line));
    const elapsed = await client.test(directory);
    io.stdout(`${directory.display_name} answers (${elapsed} ms)\n`);
    return 0;
  },
};
