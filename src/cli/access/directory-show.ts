/** `bunraku access directory show` */

import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine } from '../own-options.ts';
import { serviceOptions } from '../service-connection.ts';
import { tableLines } from '../text-table.ts';
import { rbacUsage } from '../user/rbac-client.ts';
import { DirectoryClient, directoryNameOf } from './directory-client.ts';

export const accessDirectoryShowCommand: Command = {
  name: 'access directory show',
  summary: 'Show the directories whose users may log in, and their settings',
  usage: `
Usage: bunraku access directory show [NAME] [--format text|json] [OPTIONS]

Without a name, lists the directories. The password of the lookup user is never shown.

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [...serviceOptions, '--format', '-F'], flags: [] });
    const name = directoryNameOf(line);
    const format = outputFormat(line);
    const client = new DirectoryClient(line);
    const directories = name === undefined ? await client.all() : [await client.get(name)];
    if (format === 'json') {
      io.stdout(renderJson(name === undefined ? directories : directories[0]));
      return 0;
    }
    const rows =
      name === undefined
        ? directories.map((each) => ({
            name: each.display_name,
            server: `${String(each['hostname'])}:${String(each['port'])}`,
            security: each['ssl'] === true ? 'tls' : each['start_tls'] === true ? 'start-tls' : 'none',
            'base DN': each['base_dn'],
          }))
        : Object.entries(directories[0] ?? {}).map(([setting, value]) => ({ setting, value: value ?? '' }));
    for (const text of tableLines(rows)) io.stdout(`${text}\n`);
    return 0;
  },
};
