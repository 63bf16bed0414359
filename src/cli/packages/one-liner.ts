/** `bunraku packages one-liner` */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../platform/settings/index.ts';
import { agentsAddress } from '../../server/agents/packages.ts';
import { readCaCertificates, renderOneLiner } from '../../services/packages/index.ts';
import { type Command, UsageError } from '../command.ts';
import { lastOf, readCommandLine } from '../own-options.ts';
import { parsePort } from '../port-argument.ts';

export const packagesOneLinerCommand: Command = {
  name: 'packages one-liner',
  summary: 'Print the line that makes a machine an agent',
  usage: `
Usage: bunraku packages one-liner [--server HOST[:PORT]] [ARGUMENT ...] [--SETTING VALUE ...]

Run it on the primary or on a compile server; run what it prints as root on the machine that is to become an agent. The
line has the digest of the CA's certificates, and trusts no others: curl needs no -k.

  --server HOST[:PORT]   Where the machine finds the server (default: compile_master_pool_address, else this server)
  ARGUMENT               For install.bash: main:environment=test, extension_requests:pp_role=web, ... ; put those
                         that begin with dashes after '--': -- --puppet-service-ensure stopped
`,
  async run(args, io) {
    const dashes = args.indexOf('--');
    const own = dashes < 0 ? args : args.slice(0, dashes);
    const line = readCommandLine(own, { withValue: ['--server'], flags: [] });
    const { host, port } = addressOf(lastOf(line, '--server'), line.settings);
    const caCertificates = await readCaCertificates(caFileOf(line.settings));
    const words = [...line.positional, ...(dashes < 0 ? [] : args.slice(dashes + 1))];
    io.stdout(`${renderOneLiner({ server: host, port, caCertificates, arguments: words })}\n`);
    return 0;
  },
};

function addressOf(text: string | undefined, settings: Settings): { host: string; port: number } {
  if (text === undefined) return agentsAddress(settings);
  const [, host, port] = /^([A-Za-z0-9._-]+)(?::(\d+))?$/.exec(text) ?? [];
  if (host === undefined) throw new UsageError(`'${text}' is not HOST or HOST:PORT`);
  return { host, port: port === undefined ? 8140 : parsePort(port) };
}

/** The authority's own file on the primary, else what this server believes. */
function caFileOf({ caDir, localCaCert }: Settings): string {
  const own = join(caDir, 'ca_crt.pem');
  if (existsSync(own)) return own;
  if (existsSync(localCaCert)) return localCaCert;
  throw new UsageError(
    `there is no CA certificate in ${own} or ${localCaCert}; has the server been started?`,
  );
}
