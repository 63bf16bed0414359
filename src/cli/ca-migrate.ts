/** `bunraku ca migrate` */

import { lstat, mkdir, rename, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CaAction } from './ca-action.ts';
import { renderCaErrors } from './ca-arguments.ts';
import { defaultCaDir, defaultSslDir } from './ca-client.ts';
import { openDirectory } from './ca-offline.ts';
import type { CommandIo } from './command.ts';

const defaultOldDir = `${defaultSslDir}/ca`;

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
  --from DIR                 Where it is (default ${defaultOldDir})
  --ca-dir DIR               Where it goes (default ${defaultCaDir})
  --help                     Display this command-specific help output
`,
  flags: { from: 'text', 'ca-dir': 'text' },
  problems: () => [],
  async run(flags, io) {
    const from = flags.text('from') ?? defaultOldDir;
    const to = flags.text('ca-dir') ?? defaultCaDir;
    if (await exists(to)) return refuse(io, `Existing file at '${to}': migration will not overwrite it.`);
    if (!(await exists(from))) return refuse(io, `No CA dir found at ${from}.`);
    if ((await lstat(from)).isSymbolicLink())
      return refuse(io, `${from} is a link: it has been migrated already.`);
    // Whoever holds the lock is a server that goes on writing to the old place.
    await (await openDirectory({ caDir: from, isReadOnly: false })).close();
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to);
    await symlink(to, from);
    io.stdout(
      `CA dir successfully migrated to ${to}. Symlink placed at ${from}\nfor backwards compatibility.\n`,
    );
    return 0;
  },
};

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
