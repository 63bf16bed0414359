/** `bunraku ca setup` */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '../../platform/log/index.ts';
import { CertificateAuthority, ensureServerCertificate } from '../../services/ca/index.ts';
import type { CaAction } from './action.ts';
import { renderCaErrors } from './arguments.ts';
import { readCaSite, siteFlags, siteUsage } from './site.ts';

const files = [
  'ca_crt.pem',
  'ca_crl.pem',
  'ca_key.pem',
  'ca_pub.pem',
  'root_key.pem',
  'inventory.txt',
  'serial',
];

const advice = `If you would really like to replace your CA, please delete the existing files first.
Note that any certificates that were issued by this CA will become invalid if you
replace it!`;

export const caSetupAction: CaAction = {
  name: 'setup',
  summary: 'Setup a self-signed CA chain for Puppet Server',
  usage: `Usage:
  bunraku ca setup [--help]
  bunraku ca setup [--ca-dir DIR] [--ssl-dir DIR] [--subject-alt-names NAME[,NAME]]
                   [--certname NAME] [--ca-name NAME]

Description:
  Setup a root and intermediate signing CA for Puppet Server
  and store generated CA keys, certs, crls, and associated
  server related files on disk.

  The \`--subject-alt-names\` flag can be used to add SANs to the
  certificate generated for the Puppet server. Multiple names can be
  listed as a comma separated string. These can be either DNS names or
  IP addresses, differentiated by prefixes: \`DNS:foo.bar.com,IP:123.456.789\`.
  Names with no prefix will be treated as DNS names.

Options:
  --subject-alt-names NAME[,NAME]
                             Subject alternative names for the server cert
  --ca-name NAME             Common name to use for the CA signing cert
  --certname NAME            Common name to use for the server cert
  --keylength BITS           Length of the RSA keys (default: setting keylength)
${siteUsage}`,
  flags: {
    ...siteFlags,
    'subject-alt-names': 'text',
    'ca-name': 'text',
    certname: 'text',
    keylength: 'text',
  },
  problems(flags) {
    const bits = flags.text('keylength') ?? '4096';
    return /^\d{4,5}$/.test(bits) && Number(bits) >= 2048 ? [] : [`    Invalid key length \`${bits}\``];
  },
  async run(flags, io) {
    const site = await readCaSite(flags);
    const { caDir, key } = site.ca;
    const { sslDir } = site.settings;
    const certname = flags.text('certname') ?? site.settings.certname;
    const existing = await existingFiles(caDir);
    if (existing.length > 0) {
      io.stderr(renderCaErrors([...existing.map((path) => `Existing file at '${path}'`), advice]));
      return 1;
    }
    // The default of `ca_name` names the certname of the settings, not the one that was given.
    const caName = flags.has('certname') && !flags.has('ca-name') ? `Puppet CA: ${certname}` : site.ca.caName;
    const ca = await CertificateAuthority.open(
      { ...site.ca, caName },
      { log: silentLogger, now: () => new Date() },
    );
    const altNames = flags.text('subject-alt-names') ?? site.settings.dnsAltNames.join(',');
    try {
      await ensureServerCertificate(ca, { sslDir, certname, altNames, key }, new Date());
    } finally {
      await ca.close();
    }
    io.stdout(`Generation succeeded. Find your files in ${caDir}\n`);
    return 0;
  },
};

async function existingFiles(caDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of files.map((file) => join(caDir, file))) {
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (isThere) found.push(path);
  }
  return found;
}
