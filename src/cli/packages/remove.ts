/** `bunraku packages remove` */

import { type Command, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { openRepository } from './open-repository.ts';

export const packagesRemoveCommand: Command = {
  name: 'packages remove',
  summary: 'Remove agent packages from the primary',
  usage: `
Usage: bunraku packages remove PLATFORM/FILE [PLATFORM/FILE ...] [--SETTING VALUE ...]

Names are those that 'bunraku packages list' prints.
`,
  async run(args, io) {
    const { positional, settings } = readCommandLine(args, { withValue: [], flags: [] });
    if (positional.length === 0) throw new UsageError('name at least one package, as PLATFORM/FILE');
    const repository = openRepository(settings);
    for (const name of positional) {
      const [platform = '', file = '', ...rest] = name.split('/');
      if (file === '' || rest.length > 0) throw new UsageError(`'${name}' is not PLATFORM/FILE`);
      await repository.remove(platform, file);
      io.stdout(`Removed ${name}\n`);
    }
    return 0;
  },
};
