/**
 * How an action reaches the authority: through a running server, or in its directory while none runs.
 *
 * Both speak the CA's HTTP API, so that an action says and does the same either way.
 */

import { ServiceError } from '../../lib/service-error.ts';
import { localAddresses } from '../primary-connection.ts';
import type { CaFlags, FlagKind } from './arguments.ts';
import type { CaClient } from './client.ts';
import { openOfflineCa } from './offline.ts';
import { openOnlineCa } from './online.ts';
import { type CaSite, readCaSite, siteFlags, siteUsage } from './site.ts';

/** Flags of every action that uses an authority. */
export const accessFlags: Readonly<Record<string, FlagKind>> = {
  ...siteFlags,
  server: 'text',
  'client-certname': 'text',
  'token-file': 'text',
  cacert: 'text',
};

export const accessUsage = `  --server HOST[:PORT]       Ask this server instead of opening the directory
  --client-certname NAME     Whose certificate to show to the server (default: setting certname)
  --token-file FILE          With --server: a user's token to use instead, as 'bunraku access login' keeps it
  --cacert FILE              With --server: the certificate of the CA (default: that in the ssldir)
${siteUsage}`;

/** Flags of those that sign, too. */
export const signingFlags: Readonly<Record<string, FlagKind>> = {
  ...accessFlags,
  'allow-subject-alt-names': 'switch',
  'allow-authorization-extensions': 'switch',
};

export const signingUsage = `  --allow-subject-alt-names  Sign requests for further names
  --allow-authorization-extensions
                             Sign requests for authorization extensions
${accessUsage}`;

/**
 * Where a server of this machine has the directory, it is asked instead.
 *
 * @param isReadOnly - nothing will be changed: works on the directory of a running server, too
 * @throws ServiceError when the authority cannot be reached or opened
 */
export async function openCa(flags: CaFlags, isReadOnly: boolean): Promise<CaClient> {
  const site = await readCaSite(flags);
  const server = flags.text('server');
  if (server !== undefined) return openOnline(server, site, flags, {});
  const { ca } = site;
  try {
    return await openOfflineCa(
      {
        ...ca,
        allowSubjectAltNames: ca.allowSubjectAltNames || flags.has('allow-subject-alt-names'),
        allowAuthorizationExtensions:
          ca.allowAuthorizationExtensions || flags.has('allow-authorization-extensions'),
      },
      isReadOnly,
    );
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'puppet-ca/locked') throw error;
    return await openOnline(localServer(site), site, flags, localAddresses(site.settings)).catch(() => {
      // This machine has no certificate to ask with: the lock is what is in the way.
      throw error;
    });
  }
}

function openOnline(
  server: string,
  { settings }: CaSite,
  flags: CaFlags,
  addresses: Readonly<Record<string, string>>,
): Promise<CaClient> {
  const certname = flags.text('client-certname') ?? settings.certname;
  const [tokenFile, caFile] = [flags.text('token-file'), flags.text('cacert')];
  return openOnlineCa(server, { sslDir: settings.sslDir, certname, tokenFile, caFile, addresses });
}

function localServer({ settings: { certname, serverPort } }: CaSite): string {
  return `${certname}:${serverPort}`;
}
