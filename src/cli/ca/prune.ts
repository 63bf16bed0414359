/** `bunraku ca prune` */

import type { CaAction } from './action.ts';
import type { CaFlags } from './arguments.ts';
import { openDirectory } from './offline.ts';
import { readCaSite, siteFlags, siteUsage } from './site.ts';

export const caPruneAction: CaAction = {
  name: 'prune',
  summary: 'Prune the local CRL on disk to remove certificate entries',
  usage: `Usage:
  bunraku ca prune [--help]
  bunraku ca prune [--ca-dir DIR] [--remove-duplicates] [--remove-expired]
  bunraku ca prune [--ca-dir DIR] --remove-entries [--serial NUMBER[,NUMBER]] [--certname NAME[,NAME]]

Description:
  Removes repeated entries from the list of revoked certificates; with
  --remove-expired also those of certificates that have expired, with
  --remove-entries those of the given serial numbers and names. Only the
  authority's own list is changed. A running server removes what has
  expired by itself.

Options:
  --remove-duplicates        Remove duplicate entries from CRL (default)
  --remove-expired           Remove expired entries from CRL
  --remove-entries           Remove the entries of --serial and --certname
  --serial NUMBER[,NUMBER]   Serial number(s) in HEX to be removed from CRL
  --certname NAME[,NAME]     Name(s) of the cert(s) to be removed from CRL
${siteUsage}`,
  flags: {
    ...siteFlags,
    'remove-duplicates': 'switch',
    'remove-expired': 'switch',
    'remove-entries': 'switch',
    serial: 'list',
    certname: 'list',
  },
  problems(flags) {
    const hasEntries = flags.has('serial') || flags.has('certname');
    return flags.has('remove-entries') && !hasEntries
      ? ['--remove-entries option require --serial or --certname values']
      : flags
          .list('serial')
          .filter((serial) => normalised(serial) === undefined)
          .map(badSerial);
  },
  async run(flags, io) {
    const ca = await openDirectory((await readCaSite(flags)).ca);
    try {
      io.stdout(`Total number of certificates found in Puppet's CRL is: ${ca.revokedCount}.\n`);
      const serials = flags.has('remove-entries') ? await serialsOf(ca, flags) : [];
      const { duplicates, removed } = await ca.prune(serials, flags.has('remove-expired'));
      if (duplicates > 0) io.stdout(`Removed ${duplicates} duplicated certs from Puppet's CRL.\n`);
      if (removed > 0) io.stdout(`Removed ${removed} certs from Puppet's CRL.\n`);
      if (duplicates + removed === 0) io.stdout('No matching revocations found in the CRL for pruning\n');
      return 0;
    } finally {
      await ca.close();
    }
  },
};

async function serialsOf(
  ca: { allSerials(certname: string): Promise<readonly string[]> },
  flags: CaFlags,
): Promise<readonly string[]> {
  const named = await Promise.all(flags.list('certname').map((certname) => ca.allSerials(certname)));
  return [...flags.list('serial').flatMap((serial) => normalised(serial) ?? []), ...named.flat()];
}

/** Upper case without prefix and leading zeros; `undefined` when it is not a number. */
function normalised(serial: string): string | undefined {
  const [, digits] = /^(?:0[xX])?0*([0-9a-fA-F]+)$/.exec(serial) ?? [];
  return digits?.toUpperCase();
}

function badSerial(serial: string): string {
  return `    '${serial}' is not a serial number in hexadecimal`;
}
