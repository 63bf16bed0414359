/** `bunraku console` */

import type { Command } from './command.ts';
import { serveBesidePrimary } from './serve-beside-primary.ts';

export const consoleCommand: Command = {
  name: 'console',
  summary: 'Run the console with users and groups on a host of its own, without state',
  usage: `
Usage: bunraku console --primary HOST[:PORT] [--data DIR] [--SETTING VALUE ...]

Answers on port 4433 as the primary does there (users, groups, tokens), and serves the console's pages on port 443 (8443 where 443
is not allowed). Passes every request on to the same ports of the primary.
The host keeps nothing but its certificate. It joins as a compile server does ('bunraku compile-server join ... --no-start',
or a request that is signed). A request's token or password decides; certificates of clients are not passed on.

Common settings:
  --primary HOST[:PORT]          The primary (port 8140 when absent)
  --data DIR                     One directory for all files
  --certname NAME                The name in this server's certificate (default: the host's name)
  --console-services-port PORT   The port of users and groups here (default 4433)
  --console-port PORT            The port of the pages (default 443, or else 8443; 0 serves none)

All settings are in docs/settings.md. Signals: SIGTERM finishes what is under way and ends; SIGHUP reads
certificates and log level again.
`,
  run: (args, io) =>
    serveBesidePrimary(args, io, async () => (await import('../server/roles/console.ts')).startConsole),
};
