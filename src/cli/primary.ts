/** `bunraku primary` */

import type { Command } from './command.ts';
import { serve } from './serve.ts';

export const primaryCommand: Command = {
  name: 'primary',
  summary: 'Run the primary: certificate authority, code, database, and all that agents need',
  usage: `
Usage: bunraku primary [--data DIR] [--SETTING VALUE ...]

Without settings it uses the places and ports that Puppet Server users know. To try it out, keep everything in one
folder:

  bunraku primary --data ./try --serverport 8140 --certname primary.example.com --dns-alt-names puppet

Common settings:
  --data DIR             One folder for everything
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
  run(args, io) {
    // Loaded when it is known where the last start has kept it compiled.
    const load = async () => (await import('../server/primary.ts')).startPrimary;
    return serve(args, io, async (settings, log) => (await load())(settings, log));
  },
};
