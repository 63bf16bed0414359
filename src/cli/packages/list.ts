/** `bunraku packages list` */

import { PackageRepository } from '../../services/packages/index.ts';
import type { Command } from '../command.ts';
import { readCommandLine } from '../own-options.ts';

export const packagesListCommand: Command = {
  name: 'packages list',
  summary: 'List the agent packages of the primary',
  usage: `
Usage: bunraku packages list [--format json] [--SETTING VALUE ...]

One line for each package: platform, file and size. Platforms that are not listed get their distribution's own agent.
`,
  async run(args, io) {
    const { settings, values } = readCommandLine(args, { withValue: ['--format'], flags: [] });
    const entries = await new PackageRepository(settings.packagesDir, () => new Date()).list();
    if (values.get('--format')?.at(-1) === 'json') {
      io.stdout(`${JSON.stringify(entries, undefined, 2)}\n`);
      return 0;
    }
    for (const { platform, file, bytes } of entries)
      io.stdout(`${platform.padEnd(22)} ${file} (${(bytes / 2 ** 20).toFixed(1)} MiB)\n`);
    if (entries.length === 0) io.stdout(`No packages in ${settings.packagesDir}\n`);
    return 0;
  },
};
