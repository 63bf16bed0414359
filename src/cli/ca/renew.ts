/** `bunraku ca renew` */

import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { decodeCertificates, encodeCertificate, sslFiles } from '../../platform/x509/index.ts';
import type { CommandIo } from '../command.ts';
import { localAddresses } from '../primary-connection.ts';
import type { CaAction } from './action.ts';
import { certnameProblems, renderCaErrors } from './arguments.ts';
import { openDirectory } from './offline.ts';
import { openOnlineCa } from './online.ts';
import { type CaSite, readCaSite, siteFlags, siteUsage } from './site.ts';

export const caRenewAction: CaAction = {
  name: 'renew',
  summary: 'Renew certificate(s) with the same keys, names and extensions',
  usage: `Usage:
  bunraku ca renew [--help]
  bunraku ca renew --certname NAME[,NAME] [--ca-dir DIR]
  bunraku ca renew --certname NAME --server HOST[:PORT]

Description:
  Signs a new certificate for the key of the one that there is. It replaces
  that in the CA directory and, where the same key has one, in --ssl-dir.
  Through a server a certificate renews itself: --ssl-dir must have its key,
  and the server must allow it.

Options:
  --certname NAME[,NAME]     One or more comma separated certnames
  --server HOST[:PORT]       Ask this server instead of opening the directory
${siteUsage}`,
  flags: { ...siteFlags, server: 'text', certname: 'list' },
  problems: (flags) => certnameProblems(flags, 'renew'),
  async run(flags, io) {
    const site = await readCaSite(flags);
    const server = flags.text('server');
    const outcomes: boolean[] = [];
    for (const certname of flags.list('certname')) outcomes.push(await renew(certname, server, site, io));
    return outcomes.every(Boolean) ? 0 : 1;
  },
};

async function renew(
  certname: string,
  server: string | undefined,
  site: CaSite,
  io: CommandIo,
): Promise<boolean> {
  try {
    const pem =
      server === undefined ? await renewOffline(certname, site) : await renewOnline(server, certname, site);
    await replaceOwn(certname, pem, site, io);
    io.stdout(`Renewed the certificate of ${certname}\n`);
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    io.stderr(renderCaErrors([`    Could not renew the certificate of ${certname}: ${error.message}`]));
    return false;
  }
}

async function renewOffline(certname: string, site: CaSite): Promise<string> {
  const ca = await openDirectory(site.ca);
  try {
    const [old] = decodeCertificates((await ca.findCertificate(certname))?.content ?? '');
    if (!old) throw new ServiceError('not-found', `Could not find certificate for ${certname}`);
    return encodeCertificate(await ca.renew(old.raw, true));
  } finally {
    await ca.close();
  }
}

async function renewOnline(server: string, certname: string, { settings }: CaSite): Promise<string> {
  const ca = await openOnlineCa(server, {
    sslDir: settings.sslDir,
    certname,
    addresses: localAddresses(settings),
  });
  try {
    const { body, status } = await ca.request('POST', 'certificate_renewal');
    if (status === 200) return body;
    throw new ServiceError('unavailable', `the server answered ${status}: ${body}`);
  } finally {
    await ca.close();
  }
}

/** Only where the certificate that is there has the same key. */
async function replaceOwn(certname: string, pem: string, { settings }: CaSite, io: CommandIo): Promise<void> {
  const { certificate } = sslFiles(settings.sslDir, certname);
  const present = await readFile(certificate, 'utf8').catch(() => undefined);
  const [old] = decodeCertificates(present ?? '');
  const [renewed] = decodeCertificates(pem);
  if (!old || !renewed?.publicKeyInfo.equals(old.publicKeyInfo)) return;
  await writeFileAtomically(certificate, pem);
  io.stdout(`Successfully saved certificate for ${certname} to ${certificate}\n`);
}
