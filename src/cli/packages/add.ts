/** `bunraku packages add` */

import { type Command, UsageError } from '../command.ts';
import { lastOf, readCommandLine } from '../own-options.ts';
import { openRepository } from './open-repository.ts';

export const packagesAddCommand: Command = {
  name: 'packages add',
  summary: 'Add agent packages to what install.bash and install.ps1 install',
  usage: `
Usage: bunraku packages add FILE [FILE ...] [--platform TAG] [--SETTING VALUE ...]

Copies packages (.deb, .rpm, .msi, ...) into the setting packages_dir of the primary, and indexes them for apt and dnf.
Every server serves them at once below https://SERVER:8140/packages/current.

  --platform TAG   What the packages are for, where their names don't tell: debian-12-amd64, el-9-x86_64
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: ['--platform'], flags: [] });
    if (line.positional.length === 0) throw new UsageError('name at least one package');
    const repository = openRepository(line.settings);
    for (const path of line.positional) {
      const { file, platform } = await repository.add(path, lastOf(line, '--platform'));
      io.stdout(`Added ${platform}/${file}\n`);
    }
    return 0;
  },
};
