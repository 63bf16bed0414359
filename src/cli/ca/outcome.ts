/** What the answers of the CA mean to a person, in the words of `puppetserver ca`. */

import type { CommandIo } from '../command.ts';
import type { CaReply } from './client.ts';

export type CaOutcome = 'success' | 'invalid' | 'not-found' | 'error';

export const exitCodes: Readonly<Record<CaOutcome, number>> = {
  success: 0,
  invalid: 24,
  'not-found': 1,
  error: 1,
};

const severities: readonly CaOutcome[] = ['success', 'invalid', 'not-found', 'error'];

/** The worst of all, which decides the exit code. */
export function worstOutcome(outcomes: readonly CaOutcome[]): CaOutcome {
  return severities.findLast((severity) => outcomes.includes(severity)) ?? 'success';
}

export function reportSigned(certname: string, { status, body }: CaReply, io: CommandIo): CaOutcome {
  if (status === 204) {
    io.stdout(`Successfully signed certificate request for ${certname}\n`);
    return 'success';
  }
  if (status === 404) {
    io.stderr(`Error:\n    Could not find certificate request for ${certname}\n`);
    return 'not-found';
  }
  const lines = [`    When attempting to sign certificate request '${certname}', received`];
  const outcome = reportUnexpected(lines, { status, body }, io);
  const flag = allowingFlags.find(({ refusal }) => status === 409 && body.includes(refusal))?.flag;
  if (flag !== undefined) io.stderr(`    To sign this one: bunraku ca sign --certname ${certname} ${flag}\n`);
  return outcome;
}

/** What the settings refuse, in the words of the CA, and what a person who signs may allow for one request. */
const allowingFlags: readonly { readonly refusal: string; readonly flag: string }[] = [
  { refusal: 'contains extra subject alternative names', flag: '--allow-dns-alt-names' },
  { refusal: 'contains an authorization extension', flag: '--allow-authorization-extensions' },
];

export function reportRevoked(certname: string, { status, body }: CaReply, io: CommandIo): CaOutcome {
  if (status === 200 || status === 204) {
    io.stdout(`Certificate for ${certname} has been revoked\n`);
    return 'success';
  }
  if (status === 404) {
    io.stderr(`Error:\n    Could not find certificate for ${certname}\n`);
    return 'not-found';
  }
  if (status === 409) {
    io.stderr(`Error:\n    Could not revoke unsigned csr for ${certname}\n`);
    return 'invalid';
  }
  return reportUnexpected(
    [`    When attempting to revoke certificate '${certname}', received:`],
    { status, body },
    io,
  );
}

export function reportSubmitted(certname: string, { status, body }: CaReply, io: CommandIo): CaOutcome {
  if (status === 200 || status === 204) {
    io.stdout(`Successfully submitted certificate request for ${certname}\n`);
    return 'success';
  }
  const lines = [`    When attempting to submit certificate request for '${certname}', received:`];
  return reportUnexpected(lines, { status, body }, io);
}

export function reportCleaned(certname: string, { status, body }: CaReply, io: CommandIo): CaOutcome {
  if (status === 200 || status === 204) {
    io.stdout(`Cleaned files related to ${certname}\n`);
    return 'success';
  }
  if (status === 404) {
    io.stderr(`Error:\n    Could not find files to clean for ${certname}\n`);
    return 'not-found';
  }
  return reportUnexpected(
    [`    When attempting to clean certificate '${certname}', received:`],
    { status, body },
    io,
  );
}

/** An unexpected answer: its status and body, to be reported. */
export function reportUnexpected(
  lines: readonly string[],
  { status, body }: CaReply,
  io: CommandIo,
): CaOutcome {
  const all = ['Error:', ...lines, `      code: ${status}`, ...(body === '' ? [] : [`      body: ${body}`])];
  io.stderr(`${all.join('\n')}\n`);
  return 'error';
}
