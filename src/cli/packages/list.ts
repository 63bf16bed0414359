/** `bunraku packages list` */

import { PackageRepository } from '../../services/packages/index.ts';
import type { Command } from '../command.ts';
import { outputFormat, renderJson } from '../output-format.ts';
import { readCommandLine, refuseWords } from '../own-options.ts';

export const packagesListCommand: Command = {
  name: 'packages list',
  summary: 'List the agent packages of the primary',
  usage: `
Usage: bunraku packages list [--format json] [--SETTING VALUE ...]

One line for each package: platform, file and size. Platforms that are not listed get their distribution's own agent.
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: ['--format'], flags: [] });
    refuseWords(line.positional);
    const format = outputFormat(line);
    const { packagesDir } = line.settings;
    const entries = await new PackageRepository(packagesDir, () => new Date()).list();
    if (format === 'json') {
      io.stdout(renderJson(entries));
      return 0;
    }
    for (const { platform, file, bytes } of entries)
      io.stdout(`${platform.padEnd(22)} ${file} (${(bytes / 2 ** 20).toFixed(1)} MiB)\n`);
    if (entries.length === 0) io.stdout(`No packages in ${packagesDir}\n`);
    return 0;
  },
};
