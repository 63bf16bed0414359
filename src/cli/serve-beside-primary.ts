/** What the commands have in common that run a server beside a primary. */

import type { Settings } from '../platform/settings/index.ts';
import { type CommandIo, UsageError } from './command.ts';
import { readSettings, type StartServer, serve } from './serve.ts';

/** @param load - called when it is known where the last start has kept the program compiled */
export async function serveBesidePrimary(
  args: readonly string[],
  io: CommandIo,
  load: () => Promise<StartServer>,
): Promise<number> {
  if (primaryIn(readSettings(args).settings) === '')
    throw new UsageError('name the primary with --primary HOST[:PORT], or as ca_server in puppet.conf');
  return serve(args, io, async (settings, log, signal) => {
    const start = await load();
    return start({ ...settings, primary: primaryIn(settings) }, log, signal);
  });
}

function primaryIn({ caServer, primary }: Settings): string {
  return primary === '' ? (caServer?.address ?? '') : primary;
}
