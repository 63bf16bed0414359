/** `bunraku ca import` */

import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { ServiceError } from '../lib/service-error.ts';
import { ensureServerCertificate, importAuthority } from '../services/ca/index.ts';
import type { CaAction } from './ca-action.ts';
import { type CaFlags, renderCaErrors } from './ca-arguments.ts';
import { defaultCaDir, defaultSslDir, signingCommandOf } from './ca-client.ts';
import { openDirectory } from './ca-offline.ts';
import type { CommandIo } from './command.ts';

const keyBits = 4096;

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
  --ca-dir DIR               The CA directory (default ${defaultCaDir})
  --ssl-dir DIR              Keys and certificates of this machine (default ${defaultSslDir})
  --private-key KEY          Path to PEM encoded key
  --signing-command COMMAND  What signs instead, for a key that stays where it is
  --cert-bundle BUNDLE       Path to PEM encoded bundle
  --crl-chain CHAIN          Path to PEM encoded chain
  --certname NAME            Common name to use for the server cert
  --subject-alt-names NAME[,NAME]
                             Subject alternative names for the server cert
  --help                     Display this command-specific help output
`,
  flags: {
    'ca-dir': 'text',
    'ssl-dir': 'text',
    'private-key': 'text',
    'signing-command': 'text',
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
    const caDir = flags.text('ca-dir') ?? defaultCaDir;
    try {
      await importFiles(caDir, flags);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.reason !== 'conflict') throw error;
      io.stderr(renderCaErrors(error.message.split('\n').map((line) => `    ${line}`)));
      return 1;
    }
    await issueServerCertificate(caDir, flags);
    return succeed(caDir, io);
  },
};

async function importFiles(caDir: string, flags: CaFlags): Promise<void> {
  const keyPath = flags.text('private-key');
  await importAuthority(
    {
      caDir,
      certificates: await readFile(flags.text('cert-bundle') ?? '', 'utf8'),
      revocationLists: await readFile(flags.text('crl-chain') ?? '', 'utf8'),
      signingCommand: signingCommandOf(flags),
      ...(keyPath === undefined ? {} : { privateKey: await readFile(keyPath, 'utf8') }),
    },
    new Date(),
  );
}

async function issueServerCertificate(caDir: string, flags: CaFlags): Promise<void> {
  const signingCommand = flags.has('private-key') ? [] : signingCommandOf(flags);
  const ca = await openDirectory({ caDir, isReadOnly: false, signingCommand });
  try {
    const request = {
      sslDir: flags.text('ssl-dir') ?? defaultSslDir,
      certname: flags.text('certname') ?? hostname().toLowerCase(),
      altNames: flags.text('subject-alt-names') ?? '',
      key: { kind: 'rsa', bits: keyBits },
    } as const;
    await ensureServerCertificate(ca, request, new Date());
  } finally {
    await ca.close();
  }
}

function succeed(caDir: string, io: CommandIo): number {
  io.stdout(`Import succeeded. Find your files in ${caDir}\n`);
  return 0;
}
