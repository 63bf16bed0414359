/** `bunraku compile-server` */

import type { Command } from '../command.ts';
import { serveBesidePrimary } from '../serve-beside-primary.ts';

export const compileServerCommand: Command = {
  name: 'compile-server',
  summary: 'Run a compile server that follows a primary',
  usage: `
Usage: bunraku compile-server [--primary HOST[:PORT]] [--data DIR] [--SETTING VALUE ...]

It asks the primary's CA for a certificate with alternative names, waits until that is signed, fetches the code and
serves agents. /status/v1/simple answers 200 from then on.

Common settings:
  --primary HOST[:PORT]     The primary (port 8140 when absent); without it, ca_server or server of puppet.conf
  --ca-fingerprint SHA256   Trust only the CA with this fingerprint
  --certname NAME           The name in this server's certificate (default: the host's name)
  --dns-alt-names NAMES     Names by which agents reach it (default: puppet)
  --data DIR                One directory for all files
  --serverport PORT         The port for agents (default 8140)
  --compile-workers N       Threads that compile (default: one for each core)

'bunraku compile-server join' writes these settings, and a token makes a signature by a person unnecessary. Without
it, sign the request on the primary:

  bunraku ca sign --certname NAME --allow-dns-alt-names --allow-authorization-extensions

All settings are in docs/settings.md. Signals: SIGTERM finishes what is under way and ends; SIGHUP reads
certificates, rules and log level again.
`,
  run: (args, io) =>
    serveBesidePrimary(
      args,
      io,
      async () => (await import('../../server/roles/compile-server.ts')).startCompileServer,
    ),
};
