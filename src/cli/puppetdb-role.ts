/** `bunraku puppetdb` */

import type { Command } from './command.ts';
import { serveBesidePrimary } from './serve-beside-primary.ts';

export const puppetDbCommand: Command = {
  name: 'puppetdb',
  summary: 'Run PuppetDB on a host of its own',
  usage: `
Usage: bunraku puppetdb --primary HOST[:PORT] [--data DIR] [--SETTING VALUE ...]

Serves PuppetDB's API on port 8081 from a database of this host, with a certificate of the primary's authority. The host joins
as a compile server does ('bunraku compile-server join ... --no-start', or a request that is signed). The primary and the
compile servers use it when their puppetdb.conf names it:

  [main]
  server_urls = https://puppetdb.example.com:8081

Common settings:
  --primary HOST[:PORT]      The primary (port 8140 when absent)
  --data DIR                 One directory for all files
  --certname NAME            The name in this server's certificate (default: the host's name)
  --puppetdb-port PORT       The port (default 8081)
  --puppetdb-database URL    A database of PostgreSQL instead of a file

All settings are in docs/settings.md. Signals: SIGTERM finishes what is under way and ends; SIGHUP reads
certificates and log level again.
`,
  run: (args, io) =>
    serveBesidePrimary(args, io, async () => (await import('../server/roles/puppetdb.ts')).startPuppetDb),
};
