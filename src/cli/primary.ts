/** `bunraku primary` */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedSettings } from '../platform/settings/index.ts';
import { type Command, UsageError } from './command.ts';
import { readSettings, serve } from './serve.ts';

export const primaryCommand: Command = {
  name: 'primary',
  summary: 'Run the primary: certificate authority, code, database, and all that agents need',
  usage: `
Usage: bunraku primary [--data DIR] [--SETTING VALUE ...]

Without settings it uses the places and ports that Puppet Server users know. To try it out, keep everything in one
folder:

  bunraku primary --data ./try --serverport 8140 --certname primary.example.com --dns-alt-names puppet

Common settings:
  --data DIR             One directory for all files
  --certname NAME        The name in this server's certificate (default: the host's name)
  --dns-alt-names NAMES  Further names, separated by commas
  --serverport PORT      The port for agents (default 8140)
  --autosign VALUE       true, false, or the path of a list of patterns
  --log-level LEVEL      error, warn, info or debug
  --config FILE          A configuration file, HOCON or YAML

All settings are in docs/settings.md; each may be given as a flag, as BUNRAKU_NAME in the environment, in the
configuration file or, those that Puppet has, in puppet.conf.

Signals: SIGTERM finishes what is under way and ends; SIGHUP reads certificates, rules and log level again.
`,
  async run(args, io) {
    const loaded = readSettings(args);
    refuseSecondAuthority(loaded);
    // Loaded when it is known where the last start has kept it compiled.
    const load = async () => (await import('../server/roles/primary.ts')).startPrimary;
    return serve(args, io, async (settings, log) => (await load())(settings, log, loaded.origins));
  },
};

/**
 * An authority that a site did not ask for signs certificates that its agents don't believe.
 *
 * @throws UsageError saying what to do instead
 */
export function refuseSecondAuthority({ origins, settings }: LoadedSettings): void {
  const { ca, caDir, caServer } = settings;
  const command = `bunraku compile-server${settings.primary === '' ? ' --primary HOST' : ''}`;
  const instead =
    `'${command}' serves agents without an authority of its own: it gets its certificate from ` +
    `${settings.primary === '' ? 'the primary' : settings.primary} and passes requests to /puppet-ca on`;
  if (!ca)
    throw new UsageError(`${origins.ca}: ca = false, and a primary is the certificate authority. ${instead}`);
  if (caServer?.setting !== 'ca_server' || origins.ca !== 'default' || existsSync(join(caDir, 'ca_crt.pem')))
    return;
  throw new UsageError(
    `ca_server is ${caServer.address}, and there is no certificate authority in ${caDir} yet: a primary would make a second one. ` +
      "Set 'ca = true' in puppet.conf where that is meant, or 'ca = false' for a compile server",
  );
}
