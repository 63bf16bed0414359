/** `bunraku ca import` */

import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../lib/service-error.ts';
import { ensureServerCertificate, importAuthority } from '../../services/ca/index.ts';
import type { CommandIo } from '../command.ts';
import type { CaAction } from './action.ts';
import { type CaFlags, renderCaErrors } from './arguments.ts';
import { openDirectory } from './offline.ts';
import { type CaSite, readCaSite, siteFlags, siteUsage } from './site.ts';

export const caImportAction: CaAction = {
  name: 'import',
  summary: 'Import an external CA chain and generate server PKI',
  usage: `Usage:
  bunraku ca import [--help]
  bunraku ca import [--ca-dir DIR] [--ssl-dir DIR] [--certname NAME]
                    [--subject-alt-names NAME[,NAME]]
      --private-key PATH --cert-bundle PATH --crl-chain PATH

Description:
  Given a private key, cert bundle, and a crl chain,
  validate and import to the CA directory. The signing authority may be
  an intermediate under a company's root.

  Note that the cert and crl provided for the leaf CA must not
  have already issued or revoked any certificates.

Options:
  --private-key KEY          Path to PEM encoded key; --signing-command for one that stays where it is
  --cert-bundle BUNDLE       Path to PEM encoded bundle
  --crl-chain CHAIN          Path to PEM encoded chain
  --certname NAME            Common name to use for the server cert
  --subject-alt-names NAME[,NAME]
                             Subject alternative names for the server cert
${siteUsage}`,
  flags: {
    ...siteFlags,
    'private-key': 'text',
    'cert-bundle': 'text',
    'crl-chain': 'text',
    certname: 'text',
    'subject-alt-names': 'text',
  },
  problems(flags) {
    const hasKey = flags.has('private-key') || flags.has('signing-command');
    return flags.has('cert-bundle') && flags.has('crl-chain') && hasKey
      ? []
      : ['    Missing required argument', '    --cert-bundle, --private-key, --crl-chain are required'];
  },
  async run(flags, io) {
    const site = await readCaSite(flags);
    const { caDir } = site.ca;
    try {
      await importFiles(site, flags);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.reason !== 'conflict') throw error;
      io.stderr(renderCaErrors(error.message.split('\n').map((line) => `    ${line}`)));
      return 1;
    }
    await issueServerCertificate(site, flags);
    return succeed(caDir, io);
  },
};

async function importFiles({ ca: { caDir, signingCommand } }: CaSite, flags: CaFlags): Promise<void> {
  const keyPath = flags.text('private-key');
  await importAuthority(
    {
      caDir,
      certificates: await readFile(flags.text('cert-bundle') ?? '', 'utf8'),
      revocationLists: await readFile(flags.text('crl-chain') ?? '', 'utf8'),
      signingCommand,
      ...(keyPath === undefined ? {} : { privateKey: await readFile(keyPath, 'utf8') }),
    },
    new Date(),
  );
}

async function issueServerCertificate(site: CaSite, flags: CaFlags): Promise<void> {
  const { settings } = site;
  const ca = await openDirectory({
    ...site.ca,
    signingCommand: flags.has('private-key') ? [] : site.ca.signingCommand,
  });
  try {
    const request = {
      sslDir: settings.sslDir,
      certname: flags.text('certname') ?? settings.certname,
      altNames: flags.text('subject-alt-names') ?? settings.dnsAltNames.join(','),
      key: site.ca.key,
    };
    await ensureServerCertificate(ca, request, new Date());
  } finally {
    await ca.close();
  }
}

function succeed(caDir: string, io: CommandIo): number {
  io.stdout(`Import succeeded. Find your files in ${caDir}\n`);
  return 0;
}
