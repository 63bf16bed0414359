/** `bunraku links remove` */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { linkedCommands } from './link-names.ts';
import { isLink } from './link-script.ts';

export const linksRemoveCommand: Command = {
  name: 'links remove',
  summary: "Remove what 'bunraku links install' made",
  usage: `
Usage: bunraku links remove DIRECTORY

Programs of another origin stay.
`,
  run(args, io) {
    const [directory, ...more] = readCommandLine(args, { withValue: [], flags: [] }).positional;
    if (directory === undefined || more.length > 0) throw new UsageError('name one directory');
    for (const path of linkedCommands.map(({ program }) => join(directory, program)).filter(isLink)) {
      rmSync(path);
      io.stdout(`Removed ${path}\n`);
    }
    return Promise.resolve(0);
  },
};
