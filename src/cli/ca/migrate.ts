/** `bunraku ca migrate` */

import { lstat, rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../../lib/make-directory.ts';
import type { CommandIo } from '../command.ts';
import type { CaAction } from './action.ts';
import { renderCaErrors } from './arguments.ts';
import { openDirectory } from './offline.ts';
import { readCaSite, siteFlags, siteUsage } from './site.ts';

export const caMigrateAction: CaAction = {
  name: 'migrate',
  summary: 'Migrate the existing CA directory to where newer servers have it',
  usage: `Usage:
  bunraku ca migrate [--help]
  bunraku ca migrate [--from DIR] [--ca-dir DIR]

Description:
  Moves the CA directory out of the ssldir, and leaves a link where it was
  for backwards compatibility. No server may be running.

Options:
  --from DIR                 Where it is (default: ca/ in the ssldir); --ca-dir is where it goes
${siteUsage}`,
  flags: { ...siteFlags, from: 'text' },
  problems: () => [],
  async run(flags, io) {
    const site = await readCaSite(flags);
    const from = flags.text('from') ?? join(site.settings.sslDir, 'ca');
    const to = site.ca.caDir;
    if (await exists(to)) return refuse(io, `Existing file at '${to}': migration will not overwrite it.`);
    if (!(await exists(from))) return refuse(io, `No CA dir found at ${from}.`);
    if ((await lstat(from)).isSymbolicLink())
      return refuse(io, `${from} is a link: it has been migrated already.`);
    // The holder of the lock is a server that would go on writing to the old place.
    await (await openDirectory({ ...site.ca, caDir: from })).close();
    await makeDirectory(dirname(to));
    await move(from, to);
    await symlink(to, from);
    io.stdout(
      `CA dir successfully migrated to ${to}. Symlink placed at ${from}\nfor backwards compatibility.\n`,
    );
    return 0;
  },
};

/** @throws Error naming both places */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (cause) {
    const isElsewhere = (cause as NodeJS.ErrnoException).code === 'EXDEV';
    // A copy would have to keep owners, and to be whole before the original goes: 'mv' does both.
    const hint = isElsewhere
      ? `: it is another file system. Move it with 'mv', and make ${from} a link to it`
      : '';
    throw new Error(`Could not move ${from} to ${to}${hint}`, { cause });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    // Not there, or not to be seen: nothing that could be moved or overwritten.
    return false;
  }
}

function refuse(io: CommandIo, problem: string): number {
  io.stderr(renderCaErrors([`    ${problem}`]));
  return 1;
}
