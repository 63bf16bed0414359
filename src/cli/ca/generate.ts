/** `bunraku ca generate` */

import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import { makeDirectory } from '../../lib/make-directory.ts';
import {
  createCertificateRequest,
  createKeyPair,
  encodeCertificateRequest,
  encodePrivateKey,
  encodePublicKey,
  sslFiles,
} from '../../platform/x509/index.ts';
import type { CommandIo } from '../command.ts';
import type { CaAction } from './action.ts';
import { type CaFlags, certnameProblems, renderCaErrors } from './arguments.ts';
import { type CaClient, nodePath } from './client.ts';
import { openCa, signingFlags, signingUsage } from './open-ca.ts';
import { reportSubmitted, reportUnexpected } from './outcome.ts';
import { hasValidTtl, signRequest } from './sign.ts';
import { type CaSite, readCaSite } from './site.ts';

export const caGenerateAction: CaAction = {
  name: 'generate',
  summary: 'Generate a new certificate signed by the CA',
  usage: `Usage:
  bunraku ca generate [--help]
  bunraku ca generate --certname NAME[,NAME] [--subject-alt-names NAME[,NAME]]

Description:
  Generates a new certificate signed by the intermediate CA
  and stores generated keys and certs on disk, below --ssl-dir.

Options:
  --certname NAME[,NAME]     One or more comma separated certnames
  --subject-alt-names NAME[,NAME]
                             Subject alternative names for the generated cert
  --ttl TTL                  The time-to-live for each cert generated and signed
${signingUsage}`,
  flags: { ...signingFlags, certname: 'list', 'subject-alt-names': 'text', ttl: 'text' },
  problems(flags) {
    const names = flags.list('certname').flatMap(nameProblems);
    return [...certnameProblems(flags, 'generate'), ...names];
  },
  async run(flags, io) {
    if (!hasValidTtl(flags, io)) return 1;
    const site = await readCaSite(flags);
    const ca = await openCa(flags, false);
    try {
      let isGood = true;
      for (const certname of flags.list('certname'))
        isGood = (await generate(ca, certname, site, { flags, io })) && isGood;
      return isGood ? 0 : 1;
    } finally {
      await ca.close();
    }
  },
};

function nameProblems(certname: string): string[] {
  const problems: string[] = [];
  if (/\p{Upper}/u.test(certname)) problems.push('    Certificate names must be lower case');
  if (!/^[ -.0-~]+$/.test(certname)) {
    problems.push(`  Certname ${certname} must not contain unprintable or non-ASCII characters`);
  }
  return problems;
}

async function generate(
  ca: CaClient,
  certname: string,
  site: CaSite,
  { flags, io }: { readonly flags: CaFlags; readonly io: CommandIo },
): Promise<boolean> {
  const files = sslFiles(site.settings.sslDir, certname);
  const taken = await existing([files.certificate, files.privateKey, files.publicKey]);
  if (taken.length > 0) {
    const advice = `Please delete these files if you really want to generate a new cert for ${certname}.`;
    io.stderr(renderCaErrors([...taken.map((path) => `Existing file at '${path}'`), advice]));
    return false;
  }
  const keys = await createKeyPair(site.ca.key);
  const request = await createCertificateRequest({ certname, altNames: altNamesOf(flags, certname) }, keys);
  // The key first: the CA may keep a request that it refuses to sign.
  const { privateKey: keyFile, publicKey: publicKeyFile } = files;
  await save(
    { what: 'private key', path: keyFile, content: encodePrivateKey(keys.privateKey) },
    certname,
    io,
  );
  await save(
    { what: 'public key', path: publicKeyFile, content: encodePublicKey(keys.publicKey) },
    certname,
    io,
  );
  const path = nodePath('certificate_request', certname);
  const submitted = await ca.request('PUT', path, encodeCertificateRequest(request));
  if (reportSubmitted(certname, submitted, io) !== 'success') return false;
  const autosigned = await download(ca, certname);
  const pem = autosigned ?? (await signAndDownload(ca, certname, flags, io));
  if (pem === undefined) return false;
  await save({ what: 'certificate', path: files.certificate, content: pem }, certname, io);
  if (autosigned !== undefined) io.stdout(`Certificate for ${certname} was autosigned.\n`);
  return true;
}

function altNamesOf(flags: CaFlags, certname: string): string {
  const given = flags.text('subject-alt-names');
  return given === undefined ? `DNS:${certname}` : `${given},DNS:${certname}`;
}

async function download(ca: CaClient, certname: string): Promise<string | undefined> {
  const { status, body } = await ca.request('GET', nodePath('certificate', certname));
  return status === 200 ? body : undefined;
}

async function signAndDownload(
  ca: CaClient,
  certname: string,
  flags: CaFlags,
  io: CommandIo,
): Promise<string | undefined> {
  if ((await signRequest(ca, certname, flags, io)) !== 'success') return undefined;
  const reply = await ca.request('GET', nodePath('certificate', certname));
  if (reply.status === 200) return reply.body;
  reportUnexpected([`    When attempting to download certificate '${certname}', received:`], reply, io);
  return undefined;
}

interface NewFile {
  readonly what: 'private key' | 'public key' | 'certificate';
  readonly path: string;
  readonly content: string;
}

async function save({ content, path, what }: NewFile, certname: string, io: CommandIo): Promise<void> {
  await makeDirectory(dirname(path), 0o750);
  await writeFileAtomically(path, content, what === 'private key' ? 0o600 : 0o640);
  io.stdout(`Successfully saved ${what} for ${certname} to ${path}\n`);
}

/** Those of `paths` that there are. */
async function existing(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (isThere) found.push(path);
  }
  return found;
}
