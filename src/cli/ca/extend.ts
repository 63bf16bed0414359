/** `bunraku ca extend` */

import { readFile } from 'node:fs/promises';
import { extendAuthority, parseTtl } from '../../services/ca/index.ts';
import type { CaAction } from './action.ts';
import { openDirectory } from './offline.ts';
import { readCaSite, siteFlags, siteUsage } from './site.ts';

const defaultTtl = '15y';

export const caExtendAction: CaAction = {
  name: 'extend',
  summary: 'Give a CA or CRL near its end a longer life, with the same keys',
  usage: `Usage:
  bunraku ca extend [--help]
  bunraku ca extend [--ca-dir DIR] [--ttl TTL] [--root-key PATH]
  bunraku ca extend [--ca-dir DIR] --crl

Description:
  Signs the authority's certificates anew under the same keys, names and
  serial numbers: all that they have signed stays valid. Agents go on with
  the certificates that they have; hand out the new ones before those end
  (agents of Puppet 8 fetch them by themselves).
  With --crl only the list of revoked certificates is signed anew.

Options:
  --ttl TTL                  How long the new certificates are valid (default ${defaultTtl})
  --root-key PATH            The root's key, where it is not in the CA directory
  --crl                      Sign the CRL anew, nothing else
${siteUsage}`,
  flags: { ...siteFlags, ttl: 'text', 'root-key': 'text', crl: 'switch' },
  problems(flags) {
    const ttl = flags.text('ttl') ?? defaultTtl;
    return parseTtl(ttl) === undefined ? [`    '${ttl}' is an invalid ttl value`] : [];
  },
  async run(flags, io) {
    const site = await readCaSite(flags);
    const { caDir, signingCommand } = site.ca;
    if (!flags.has('crl')) {
      const rootKey = flags.text('root-key');
      const ttlSeconds = parseTtl(flags.text('ttl') ?? defaultTtl) ?? 0;
      const names = await extendAuthority(
        {
          caDir,
          ttlSeconds,
          signingCommand,
          ...(rootKey === undefined ? {} : { rootKey: await readFile(rootKey, 'utf8') }),
        },
        new Date(),
      );
      for (const name of names) io.stdout(`Extended the certificate of ${name}\n`);
    }
    const ca = await openDirectory(site.ca);
    try {
      await ca.maintain(true);
      const [list] = ca.health.lists;
      io.stdout(`Signed the CRL of ${list?.name ?? ''} until ${list?.endsAt?.toISOString() ?? 'forever'}\n`);
    } finally {
      await ca.close();
    }
    return 0;
  },
};
