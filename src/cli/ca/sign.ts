/** `bunraku ca sign` */

import { z } from 'zod';
import { parseTtl } from '../../services/ca/index.ts';
import type { CommandIo } from '../command.ts';
import type { CaAction } from './action.ts';
import type { CaFlags } from './arguments.ts';
import { type CaClient, nodePath } from './client.ts';
import { openCa, signingFlags, signingUsage } from './open-ca.ts';
import { type CaOutcome, reportSigned, reportUnexpected } from './outcome.ts';

export const caSignAction: CaAction = {
  name: 'sign',
  summary: 'Sign certificate request(s)',
  usage: `Usage:
  bunraku ca sign [--help]
  bunraku ca sign NAME ...
  bunraku ca sign --certname NAME[,NAME]
  bunraku ca sign --all

Description:
  Given a comma-separated list of valid certnames, instructs the CA to sign
  each cert.

Options:
  --certname NAME[,NAME]     The name(s) of the cert(s) to be signed
  --all                      Operate on all certnames
  --ttl TTL                  The time-to-live for each cert signed: 3600, 12h, 30d, 5y
  --allow-dns-alt-names      Sign although the request has further names
  --fingerprint SHA256       Sign only the request with this fingerprint, as 'bunraku ca list' shows it; with
                             --token-file needed to allow names and extensions
${signingUsage}`,
  flags: {
    ...signingFlags,
    certname: 'list',
    all: 'switch',
    ttl: 'text',
    'allow-dns-alt-names': 'switch',
    fingerprint: 'text',
  },
  problems(flags) {
    const names = flags.list('certname');
    if (flags.has('all') && names.length > 0) return ['--all and --certname cannot be used together'];
    if (!flags.has('all') && names.length === 0) return ['No arguments given'];
    if (flags.has('fingerprint') && names.length !== 1) return ['--fingerprint goes with one certname'];
    return names.includes('--all')
      ? [
          'Cannot use --all with --certname. If you actually have a certificate request for a certifcate named --all, you need to use the HTTP API.',
        ]
      : [];
  },
  async run(flags, io) {
    if (!hasValidTtl(flags, io)) return 1;
    const ca = await openCa(flags, false);
    try {
      const names = flags.has('all') ? await pendingNames(ca, io) : flags.list('certname');
      if (names === undefined) return 1;
      if (names.length > 0) return (await signAll(ca, names, flags, io)) ? 0 : 1;
      io.stderr('Error:\n    No waiting certificate requests to sign\n');
      return 24;
    } finally {
      await ca.close();
    }
  },
};

/** Signs one request as the flags say. */
export async function signRequest(
  ca: CaClient,
  certname: string,
  flags: CaFlags,
  io: CommandIo,
): Promise<CaOutcome> {
  const ttl = flags.text('ttl');
  const seconds = ttl === undefined ? undefined : parseTtl(ttl);
  const fingerprint = flags.text('fingerprint');
  const allowsAltNames = flags.has('allow-dns-alt-names') || flags.has('allow-subject-alt-names');
  const body = {
    desired_state: 'signed',
    ...(seconds === undefined ? {} : { cert_ttl: seconds }),
    ...(allowsAltNames ? { allow_subject_alt_names: true } : {}),
    ...(flags.has('allow-authorization-extensions') ? { allow_authorization_extensions: true } : {}),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  };
  const reply = await ca.request('PUT', nodePath('certificate_status', certname), JSON.stringify(body));
  return reportSigned(certname, reply, io);
}

/** Says so when `--ttl` is no time. */
export function hasValidTtl(flags: CaFlags, io: CommandIo): boolean {
  const ttl = flags.text('ttl');
  if (ttl === undefined || parseTtl(ttl) !== undefined) return true;
  io.stderr(`Error:\n '${ttl}' is an invalid ttl value\nValue should match regex "^(d+)(s|m|h|d|y)?$"\n`);
  return false;
}

async function pendingNames(ca: CaClient, io: CommandIo): Promise<readonly string[] | undefined> {
  const reply = await ca.request('GET', 'certificate_statuses/any_key?state=requested');
  if (reply.status === 200) {
    return z
      .array(z.looseObject({ name: z.string() }))
      .parse(JSON.parse(reply.body))
      .map(({ name }) => name);
  }
  reportUnexpected([], reply, io);
  return undefined;
}

async function signAll(
  ca: CaClient,
  names: readonly string[],
  flags: CaFlags,
  io: CommandIo,
): Promise<boolean> {
  let isGood = true;
  for (const name of names) {
    const outcome = await signRequest(ca, name, flags, io);
    isGood &&= outcome === 'success';
  }
  return isGood;
}
