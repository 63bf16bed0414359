/** `bunraku links install` */

import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { type Command, type CommandIo, UsageError } from '../command.ts';
import { readCommandLine } from '../own-options.ts';
import { type LinkedCommand, linkedCommands } from './link-names.ts';
import { isLink, ownProgram, renderLink } from './link-script.ts';

export const linksInstallCommand: Command = {
  name: 'links install',
  summary: "Let people type 'puppetserver ca', 'puppet infrastructure' and the like",
  usage: `
Usage: bunraku links install DIRECTORY [--force] [--data DIR]

Puts small scripts that call this program into a directory of the path, /usr/local/bin for example. The real 'puppet' finds
those that are called puppet-NAME. A program of another origin with such a name is kept unless --force is given.

${linkedCommands.map(({ program, typed }) => `  ${program.padEnd(24)}${typed}`).join('\n')}

  --force     Replace programs of another origin, too
  --data DIR  The folder of an installation that has one: the scripts use it
`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: [], flags: ['--force'] });
    const [directory, ...more] = line.positional;
    if (directory === undefined || more.length > 0) throw new UsageError('name one directory');
    const target = { directory: resolve(directory), data: line.settings.data };
    mkdirSync(target.directory, { recursive: true });
    const kept = [];
    for (const command of linkedCommands)
      if (!(await install(command, target, line.flags.has('--force'), io))) kept.push(command);
    return kept.length === 0 ? 0 : 1;
  },
};

interface Target {
  readonly directory: string;
  readonly data: string;
}

/** @returns whether the link is there now */
async function install(
  command: LinkedCommand,
  { data, directory }: Target,
  isForced: boolean,
  io: CommandIo,
): Promise<boolean> {
  const path = join(directory, command.program);
  if (existsSync(path) && !isLink(path) && !isForced) {
    io.stderr(`${path} is another program: it stays (--force replaces it)\n`);
    return false;
  }
  await writeFileAtomically(path, renderLink(command, ownProgram(), data), 0o755);
  io.stdout(`${path.padEnd(directory.length + 25)} ${command.typed}\n`);
  return true;
}
